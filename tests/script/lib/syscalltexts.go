// run
// SPDX-License-Identifier: MIT

// Error numbers and signals.
package main

import (
	"fmt"
	"syscall"
)

func main() {
	for _, e := range []int{-5, 0, 1, 41, 58, 132, 133, 134, 500, 1 << 40} {
		fmt.Println(syscall.Errno(e), syscall.Signal(e))
	}
	for e := 0; e < 140; e++ {
		fmt.Println(syscall.Errno(e), syscall.Signal(e), syscall.Errno(e).Temporary(), syscall.Errno(e).Timeout())
	}
	fmt.Println(syscall.ENOTSUP, syscall.EWOULDBLOCK, syscall.ERFKILL, syscall.SIGPWR, syscall.SIGCLD)
}
