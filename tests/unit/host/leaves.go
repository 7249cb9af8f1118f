// SPDX-License-Identifier: MIT

// Leaves open whatever a program can, for the test of who closes it.
package main

import (
	"os"
	"syscall"
)

func main() {
	f, err := os.Open(os.Args[0])
	if err != nil {
		panic(err)
	}
	closed, err := os.Open(os.Args[0])
	if err != nil {
		panic(err)
	}
	if err := closed.Close(); err != nil {
		panic(err)
	}
	if _, _, err := os.Pipe(); err != nil {
		panic(err)
	}
	_, err = syscall.Mmap(int(f.Fd()), 0, 100, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	os.Exit(3)
}
