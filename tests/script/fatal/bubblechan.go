// fatal
// SPDX-License-Identifier: MIT

// A channel of a bubble is of no use outside.
package main

import (
	"testing"
	"testing/synctest"
)

func main() {
	testing.Main(func(pat, str string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestOut", F: func(t *testing.T) {
			out := make(chan chan int)
			go func() {
				c := <-out
				<-c
			}()
			synctest.Test(t, func(*testing.T) {
				c := make(chan int)
				out <- c
				<-c
			})
		}}}, nil, nil)
}
