// SPDX-License-Identifier: MIT

// What examples/embed/main.c runs: it greets its argument from several
// goroutines and tells by its exit status that it was here.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	words := make(chan string)
	for _, w := range []string{"hello", os.Args[1]} {
		go func() { words <- strings.ToUpper(w) }()
	}
	a, b := <-words, <-words
	if a != "HELLO" {
		a, b = b, a
	}
	fmt.Fprintln(os.Stderr, a, b)
	os.Exit(7)
}
