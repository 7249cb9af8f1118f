// run
// SPDX-License-Identifier: MIT

// Timers of a bubble that are due when they are set.
package main

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func due(t *testing.T) {
	start := time.Now()
	for _, d := range []time.Duration{0, -time.Hour, 1} {
		called := false
		f := time.AfterFunc(d, func() { called = true })
		synctest.Wait()
		fmt.Println(d, "AfterFunc:", called, f.Stop())
		time.Sleep(time.Second)
		fmt.Println(d, "later:", called)
		called = false
		fmt.Println(d, "Reset:", f.Reset(d))
		time.Sleep(time.Second)
		fmt.Println(d, "again:", called)

		tm := time.NewTimer(time.Hour)
		got := make(chan time.Duration)
		go func() { got <- (<-tm.C).Sub(start) }()
		synctest.Wait()
		fmt.Println(d, "waits:", tm.Reset(d), <-got-time.Since(start))
		fmt.Println(d, "NewTimer:", (<-time.NewTimer(d).C).Sub(start)-time.Since(start))
		fmt.Println(d, "After:", (<-time.After(d)).Sub(start)-time.Since(start))
		time.Sleep(d)
	}
}

func main() {
	testing.Main(func(pat, str string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestDue", F: func(t *testing.T) { synctest.Test(t, due) }}},
		nil, nil)
}
