// fatal
// SPDX-License-Identifier: MIT

// A channel of a bubble is of no use outside.  Who gave it away waits for a
// channel that was made outside, so that the bubble is not at a deadlock.
package main

import (
	"testing"
	"testing/synctest"
)

func main() {
	testing.Main(func(pat, str string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestOut", F: func(t *testing.T) {
			out := make(chan chan int)
			outside := make(chan int)
			go func() {
				c := <-out
				<-c
			}()
			synctest.Test(t, func(*testing.T) {
				out <- make(chan int)
				<-outside
			})
		}}}, nil, nil)
}
