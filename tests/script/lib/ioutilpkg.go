// run
// SPDX-License-Identifier: MIT

// Packages io/ioutil and testing, memory mappings, debug.SetMaxStack.
package main

import (
	"fmt"
	"io/ioutil"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
)

var (
	sink *int
	ptrs **int
)

func main() {
	dir, err := ioutil.TempDir("", "x*y")
	fmt.Println(err)
	defer os.RemoveAll(dir)
	fmt.Println(ioutil.WriteFile(dir+"/b", []byte("text"), 0o600), ioutil.WriteFile(dir+"/a", nil, 0o644))
	b, err := ioutil.ReadFile(dir + "/b")
	fmt.Println(string(b), err)
	list, err := ioutil.ReadDir(dir)
	for _, f := range list {
		fmt.Println(f.Name(), f.Size(), f.Mode(), f.IsDir())
	}
	f, err := ioutil.TempFile(dir, "t")
	fmt.Println(strings.HasPrefix(f.Name(), dir+"/t"), err, f.Close())
	b, err = ioutil.ReadAll(ioutil.NopCloser(strings.NewReader("all")))
	fmt.Println(string(b), err)
	_, err = ioutil.ReadDir("/does/not/exist")
	fmt.Println(err)

	fmt.Println(testing.AllocsPerRun(10, func() { sink = new(int) }))
	r := testing.Benchmark(func(b *testing.B) {
		b.SetBytes(8)
		for i := 0; i < b.N; i++ {
			ptrs = new(*int) // not a tiny one: those are larger under gcstress
		}
	})
	fmt.Println(r.N > 1, r.T > 0, r.AllocsPerOp(), r.AllocedBytesPerOp())
	r = testing.BenchmarkResult{N: 3, T: 40000, Bytes: 10, MemAllocs: 7, MemBytes: 99, Extra: map[string]float64{"x/op": 0.0123}}
	fmt.Printf("%q %q\n", r.String(), r.MemString())

	p := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 2*p, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	m[p] = 7
	fmt.Println(len(m) == 2*p, err, m[p], m[0], syscall.Mprotect(m[p:], syscall.PROT_READ), m[p], syscall.Mprotect(m[1:], 0))
	fmt.Println(syscall.Munmap(m[:5]), syscall.Munmap(m[:p:p]), syscall.Munmap(m[p:]), syscall.Munmap(m), syscall.Munmap(m))
	fmt.Println(debug.SetMaxStack(1<<30), debug.SetMaxStack(1<<20))
}
