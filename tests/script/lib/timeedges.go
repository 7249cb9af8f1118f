// run
// SPDX-License-Identifier: MIT

// Times at the ends of what 64 bits hold, and names of zones.
package main

import (
	"fmt"
	"time"
)

func main() {
	for _, s := range []int64{1<<63 - 1, -1 << 63, 1 << 62, -1 << 62, -62135596800, -62135596801, 1<<63 - 62135596800 - 1, -1<<63 + 62135596800, 9223371966579724800, 9223371966579724799, -9223372028741760000, -9223372028741760001, -67768100567755200, -67768100567755201, 67767976233532799, 67768036191676799} {
		for _, l := range []*time.Location{time.UTC, time.FixedZone("X", 3600*13), time.FixedZone("Y", -3600*13)} {
			t := time.Unix(s, 5).In(l)
			fmt.Println(s, t, t.YearDay(), t.Weekday(), t.Unix(), t.IsZero())
			y, w := t.ISOWeek()
			fmt.Println(y, w, t.AddDate(1, 1, 1), t.Truncate(time.Hour), t.Round(time.Minute))
			fmt.Println(t.UnixMilli(), t.UnixMicro(), t.UnixNano(), t.Add(time.Hour*24*365*290), t.Sub(time.Time{}))
			b, err := t.MarshalText()
			fmt.Println(string(b), err)
		}
	}
	for _, y := range []int{0, -1, -400, 1 << 31, -1 << 31, 292277024627, 292277026596, 292277026597, -292277022399, 1 << 40} {
		for _, m := range []time.Month{1, 2, 12, 13, -5, 1 << 31} {
			t := time.Date(y, m, 31, 25, 61, -61, -1, time.UTC)
			fmt.Println(y, int(m), t, t.YearDay(), t.Weekday(), t.Unix())
		}
	}
	for _, v := range []string{"GMT+3", "GMT-3", "GMT", "GMT+24", "GMT+0", "GMT-", "GMT+ab", "GMT+03", "CET", "+03", "-04", "ChST", "MeST", "WITA", "ABCDE", "ABCDT", "ABCD", "AB", "UTC", "UTC+1", "GMT-23"} {
		fmt.Println(time.Parse("2006-01-02 15:04 MST", "2020-01-02 18:04 "+v))
	}
}
