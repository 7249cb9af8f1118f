// SPDX-License-Identifier: MIT

// A close by reflection, where no other is, races with a send.
package main

import (
	"reflect"
	"runtime"
)

func main() {
	c := make(chan int32, 1)
	go func() {
		c <- 1
	}()
	for len(c) == 0 {
		runtime.Gosched()
	}
	reflect.ValueOf(c).Close()
}
