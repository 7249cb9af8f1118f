// run
// args: one -two=3 -- last
// env: VOLE_TEST=from env
// stdin: first line\nsecond line\nno newline
// SPDX-License-Identifier: MIT

// Package os: arguments, environment, standard streams.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	fmt.Println(len(os.Args), os.Args[1:])
	fmt.Println(os.Getenv("VOLE_TEST"), os.Getenv("VOLE_NOT_SET") == "")
	v, ok := os.LookupEnv("VOLE_NOT_SET")
	fmt.Println(v, ok)
	os.Setenv("VOLE_NEW", "new value")
	v, ok = os.LookupEnv("VOLE_NEW")
	fmt.Println(v, ok, os.ExpandEnv("$VOLE_NEW-${VOLE_TEST}"))
	os.Unsetenv("VOLE_NEW")
	_, ok = os.LookupEnv("VOLE_NEW")
	fmt.Println(ok)
	n := 0
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, "VOLE_TEST=") {
			n++
		}
	}
	fmt.Println(n)
	in := bufio.NewReader(os.Stdin)
	line, err := in.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	rest, err := io.ReadAll(in)
	fmt.Printf("%q %v\n", rest, err)
	var s string
	k, err := fmt.Scanln(&s)
	fmt.Println(k, err)
	fmt.Fprintln(os.Stderr, "on stderr")
	os.Stdout.WriteString("on stdout\n")
	os.Stdout.Write([]byte("bytes\n"))
	fmt.Println(os.Getpid() > 0, os.Stdin != nil, os.PathSeparator)
}
