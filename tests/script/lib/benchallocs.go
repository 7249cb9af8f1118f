// run
// SPDX-License-Identifier: MIT

// What a benchmark says of allocations is its own, however few rounds it has, but
// for what other goroutines do meanwhile: those of Go's runtime allocate, too, at
// times, so that the least of some benchmarks counts.
package main

import (
	"flag"
	"fmt"
	"testing"
)

var sink *[64]byte

func least(f func(b *testing.B)) testing.BenchmarkResult {
	r := testing.Benchmark(f)
	for range 9 {
		if n := testing.Benchmark(f); n.MemBytes < r.MemBytes {
			r = n
		}
	}
	return r
}

func main() {
	testing.Init()
	flag.Set("test.benchtime", "10x")
	none := least(func(b *testing.B) {
		for i := 0; i < b.N; i++ {
		}
	})
	loop := least(func(b *testing.B) {
		for b.Loop() {
		}
	})
	one := least(func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sink = new([64]byte)
		}
		b.StopTimer()
		sink = new([64]byte)
		b.StartTimer()
	})
	for _, r := range []testing.BenchmarkResult{none, loop, one} {
		fmt.Println(r.N, r.AllocedBytesPerOp(), r.AllocsPerOp())
	}
}
