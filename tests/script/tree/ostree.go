// run
// tree
// env: VOLETREE=os,syscall
// exit: 3

// Package os of the tree in place of vole's: it ends the program by package
// syscall, and tells the runtime before.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"
)

func main() {
	defer fmt.Println("a deferred call")
	_, err := os.Stat("no such file")
	fmt.Println(os.IsNotExist(err), len(os.Args))

	// A deadline of a pipe is the error of internal/poll that os has, too.
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer w.Close()
	r.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err = r.Read(make([]byte, 1))
	fmt.Println(err, errors.Is(err, os.ErrDeadlineExceeded))

	f, err := os.CreateTemp("", "vole")
	if err != nil {
		panic(err)
	}
	fmt.Println(os.Remove(f.Name()))
	os.Exit(3)
}
