package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
)

var sink int

// It leaves machine code for good, and the interpreter goes back to it.
func try(n int) (r int) {
	defer func() {
		if recover() != nil {
			r = -n
		}
	}()
	if n&1 == 0 {
		panic("even")
	}
	return n
}

func spin(n int) {
	x := 1
	for i := 0; i < n; i++ {
		x = x*3 + i
		x ^= x >> 3
	}
	sink = x
}

func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	runtime.SetCPUProfileRate(1000)
	if err := pprof.StartCPUProfile(f); err != nil {
		panic(err)
	}
	rounds, _ := strconv.Atoi(os.Args[2])
	for i := 0; i < rounds; i++ {
		spin(1000)
		pprof.Do(context.Background(), pprof.Labels("part", "labelled"),
			func(context.Context) {
				for j := 0; j < 100; j++ {
					sink += try(j)
				}
			})
	}
	pprof.StopCPUProfile()
	f.Close()
}
