// run
// SPDX-License-Identifier: MIT

// Package time: durations, dates, formatting, arithmetic.
package main

import (
	"fmt"
	"time"
)

func main() {
	for _, d := range []time.Duration{0, 1, 999, 1000, 1500, time.Millisecond, 1234567890, time.Second, time.Minute + 30*time.Second, 25*time.Hour + 3*time.Millisecond, -time.Second, 1<<63 - 1, -1 << 63} {
		fmt.Println(d, d.Seconds(), d.Milliseconds(), d.Microseconds(), d.Nanoseconds(), d.Minutes(), d.Hours())
	}
	fmt.Println((1500 * time.Millisecond).Round(time.Second), (1499 * time.Millisecond).Truncate(time.Second), (-5 * time.Second).Abs())
	for _, s := range []string{"1h15m30.918s", "300ms", "-1.5h", "1us", "1µs", "10", "", "3x", "1h1", ".5s", "9223372036854775808ns"} {
		d, err := time.ParseDuration(s)
		fmt.Println(d, err)
	}
	t := time.Date(2024, time.February, 29, 13, 4, 5, 678901234, time.UTC)
	fmt.Println(t)
	fmt.Println(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Weekday(), t.YearDay(), t.Unix(), t.UnixNano(), t.UnixMilli())
	y, w := t.ISOWeek()
	fmt.Println(y, w)
	for _, l := range []string{time.RFC3339, time.RFC3339Nano, time.ANSIC, time.UnixDate, time.RFC822, time.RFC850, time.RFC1123, time.RFC1123Z, time.Kitchen, time.Stamp, time.StampMilli, time.DateTime, time.DateOnly, time.TimeOnly, "2006-01-02T15:04:05.000Z07:00", "Jan _2 06 3:4:5pm", "Monday, January 2 .999 -0700 MST", "02/01/2006 03:04:05.000000 PM", "002 2006"} {
		fmt.Println(t.Format(l))
	}
	fmt.Println(t.Add(36*time.Hour).Format(time.DateTime), t.AddDate(1, 0, 0).Format(time.DateOnly), t.AddDate(0, 1, 1).Format(time.DateOnly), t.AddDate(0, -2, -29).Format(time.DateOnly))
	u := time.Date(2023, 14, 35, 25, 61, -1, 0, time.UTC)
	fmt.Println(u, u.Before(t), u.After(t), u.Equal(u), t.Sub(u), u.Compare(t))
	fmt.Println(t.Truncate(time.Hour).Format(time.RFC3339), t.Round(time.Minute).Format(time.RFC3339))
	p, err := time.Parse(time.RFC3339, "2021-03-04T05:06:07+02:00")
	fmt.Println(p.UTC(), err, p.Unix())
	p, err = time.Parse("2006-01-02 15:04:05.000", "1999-12-31 23:59:59.250")
	fmt.Println(p, err)
	_, err = time.Parse(time.DateOnly, "2021-13-01")
	fmt.Println(err)
	_, err = time.Parse(time.DateOnly, "hello")
	fmt.Println(err)
	fmt.Println(time.Unix(0, 0).UTC(), time.Unix(1e9, 5).UTC(), time.UnixMilli(1700000000123).UTC())
	var z time.Time
	fmt.Println(z, z.IsZero(), z.Unix(), z.Weekday())
	fmt.Println(time.January, time.December, time.Sunday, time.Saturday, time.Month(13), time.UTC)
	now := time.Now()
	later := now.Add(time.Second)
	fmt.Println(later.Sub(now), now.Before(later), time.Since(now) >= 0, time.Until(later) > 0, now.Year() > 2023)
	a := time.Now()
	b := time.Now()
	fmt.Println(!b.Before(a), b.Sub(a) >= 0)
	for y := 1999; y <= 2001; y++ {
		d := time.Date(y, 12, 31, 0, 0, 0, 0, time.UTC)
		fmt.Print(d.YearDay(), d.Weekday(), " ")
	}
	fmt.Println()
	fixed := time.FixedZone("X", -5*3600-1800)
	in := t.In(fixed)
	name, off := in.Zone()
	fmt.Println(in, name, off, in.Equal(t), in == t)
	m := map[time.Month]int{time.May: 5}
	fmt.Println(m, 2*time.Second > 1999*time.Millisecond, time.Duration(2.5*float64(time.Second)))
	fmt.Printf("%d %s %v %T\n", time.Second, time.Second, time.March, time.Second)
}
