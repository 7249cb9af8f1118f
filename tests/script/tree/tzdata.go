// run
// tree
// env: ZONEINFO=/no/such/folder

// Package time/tzdata has the time zones in the program, for machines without
// them.
package main

import (
	"fmt"
	"time"
	_ "time/tzdata"
)

func main() {
	for _, name := range []string{"America/Los_Angeles", "Asia/Kolkata"} {
		l, err := time.LoadLocation(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(time.Date(2024, 7, 1, 12, 0, 0, 0, time.UTC).In(l))
	}
	_, err := time.LoadLocation("No/Where")
	fmt.Println(err)
}
