package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
)

var sink int

func spin(n int) {
	x := 1
	for i := 0; i < n; i++ {
		x = x*3 + i
		x ^= x >> 3
	}
	sink = x
}

func calls3(n int) {
	n *= 3
	for i := 0; i < n; i++ {
		spin(100)
	}
}

func calls1(n int) {
	for i := 0; i < n; i++ {
		spin(100)
	}
}

// Loops that call nothing: there is no safepoint but their back edges.
func hot3(n int) {
	x := 1
	n *= 3
	for i := 0; i < n; i++ {
		x = x*5 + i
		x ^= x >> 3
	}
	sink = x
}

func hot1(n int) {
	x := 1
	for i := 0; i < n; i++ {
		x = x*5 + i
		x ^= x >> 3
	}
	sink = x
}

func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	runtime.SetCPUProfileRate(250)
	if err := pprof.StartCPUProfile(f); err != nil {
		panic(err)
	}
	// Rounds of different lengths, so that they do not beat with the clock.
	rounds, _ := strconv.Atoi(os.Args[2])
	seed := uint32(1)
	for i := 0; i < rounds; i++ {
		seed = seed*1664525 + 1013904223
		n := int(seed>>20) + 1
		hot3(8 * n)
		hot1(8 * n)
		calls3(n / 12)
		calls1(n / 12)
		pprof.Do(context.Background(), pprof.Labels("part", "labelled"),
			func(context.Context) { spin(4 * n) })
	}
	pprof.StopCPUProfile()
	f.Close()
}
