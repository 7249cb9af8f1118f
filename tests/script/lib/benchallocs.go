// run
// SPDX-License-Identifier: MIT

// What a benchmark says of allocations is its own, however few rounds it has.
package main

import (
	"flag"
	"fmt"
	"testing"
)

var sink *[64]byte

func main() {
	testing.Init()
	flag.Set("test.benchtime", "10x")
	none := testing.Benchmark(func(b *testing.B) {
		for i := 0; i < b.N; i++ {
		}
	})
	loop := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
		}
	})
	one := testing.Benchmark(func(b *testing.B) {
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
