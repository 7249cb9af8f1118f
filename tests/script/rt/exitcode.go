// run
// exit: 42
// SPDX-License-Identifier: MIT

// os.Exit ends the program at once: no deferred calls, other goroutines die.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	defer fmt.Println("not printed")
	go func() {
		for {
			time.Sleep(time.Hour)
		}
	}()
	go func() {
		for {
		}
	}()
	fmt.Println("leaving")
	done := make(chan int)
	go func() {
		defer fmt.Println("not printed either")
		os.Exit(42)
	}()
	<-done
}
