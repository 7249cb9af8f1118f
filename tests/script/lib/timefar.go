// run
// SPDX-License-Identifier: MIT

// Dates of years, months, days and hours beyond the times that there are.
package main

import (
	"fmt"
	"time"
)

func main() {
	for _, y := range []int{0, 292277026596, 292277024627, -292277022399, 1 << 40, 1 << 50, -1 << 50, 1<<62, -1<<62, 1<<62 - 1, -1<<62 + 1, 1<<63 - 1, -1 << 63, 1 << 61, -(1 << 61), 1<<60, 1 << 58, 1 << 57, 1<<56, 1 << 55, 292471208677, 584554049253, -292471208677} {
		t := time.Date(y, 3, 4, 5, 6, 7, 8, time.UTC)
		fmt.Println(y, t.Unix(), t.Year(), t.YearDay(), t.Weekday(), t)
	}
	for _, d := range []int{1 << 62, -1 << 62, 1<<62 + 5, -1<<62 - 5, 1<<63 - 1, -1 << 63, 1 << 47, 1<<61} {
		t := time.Date(2020, 1, d, 0, 0, 0, 0, time.UTC)
		fmt.Println(d, t.Unix(), t)
		t = time.Date(2020, time.Month(d), 1, 0, 0, 0, 0, time.UTC)
		fmt.Println(d, t.Unix(), t)
		t = time.Date(2020, 1, 1, d, 0, 0, 0, time.UTC)
		fmt.Println(d, t.Unix(), t)
		t = time.Date(2020, 1, 1, 0, d, 0, 0, time.UTC)
		fmt.Println(d, t.Unix(), t)
		t = time.Date(2020, 1, 1, 0, 0, d, 0, time.UTC)
		fmt.Println(d, t.Unix(), t)
		t = time.Date(2020, 1, 1, 0, 0, 0, d, time.UTC)
		fmt.Println(d, t.Unix(), t)
	}
}
