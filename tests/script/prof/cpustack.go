// run
// SPDX-License-Identifier: MIT

// The samples of a CPU profile name the callers of what runs, and a deferred
// function's.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime/pprof"
)

var sink int

func spin(n int) {
	for i := 0; i < n; i++ {
		sink += i & 3
	}
}

func caller(n int) {
	spin(n)
	sink++
}

func deferring(n int) {
	defer func() {
		caller(n)
	}()
	sink++
}

// profile is what a CPU profile of f's work says, unpacked.
func profile(f func(n int), n int) []byte {
	var buf bytes.Buffer
	if err := pprof.StartCPUProfile(&buf); err != nil {
		panic(err)
	}
	f(n)
	pprof.StopCPUProfile()
	r, err := gzip.NewReader(&buf)
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}

// named says whether a profile names all of the functions; samples come by
// CPU time, so that it takes as much work as it needs to have some.
func named(f func(n int), names ...string) bool {
	for n := 1 << 20; n <= 1<<30; n *= 4 {
		text := profile(f, n)
		if !bytes.Contains(text, []byte("main.spin")) {
			continue
		}
		for _, name := range names {
			if !bytes.Contains(text, []byte(name)) {
				fmt.Println("no", name)
				return false
			}
		}
		return true
	}
	return false
}

func main() {
	fmt.Println(named(caller, "main.caller", "main.profile", "main.named", "main.main"))
	fmt.Println(named(deferring, "main.caller", "main.deferring.func1", "main.deferring", "main.main"))
}
