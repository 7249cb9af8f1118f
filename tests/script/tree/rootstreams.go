// run
// tree 24
// SPDX-License-Identifier: MIT

// Package fmt heeds what os.Stdin and os.Stdout are, also where all of package
// os is the tree's.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	_, err := os.OpenRoot("/nonexistent/folder")
	fmt.Println(err)
	r, w, err := os.Pipe()
	if err != nil {
		fmt.Println(err)
		return
	}
	old := os.Stdout
	os.Stdout = w
	fmt.Print("into ")
	fmt.Println("the pipe")
	os.Stdout = old
	w.Close()
	b, err := io.ReadAll(r)
	fmt.Printf("%q %v\n", b, err)
	r, w, _ = os.Pipe()
	os.Stdin = r
	fmt.Fprintln(w, "word 12")
	var s string
	var n int
	k, err := fmt.Scan(&s, &n)
	fmt.Println(s, n, k, err)
}
