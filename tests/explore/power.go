// A bug of known depth, for power.py: so many events must come in a certain
// order. The argument is the depth, 1 to 4.

package main

import (
	"os"
	"sync"
	"sync/atomic"
)

const steps = 12

func main() {
	var a, first, second atomic.Int32
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for i := 0; i < steps; i++ {
			a.Add(1)
		}
	}()
	go func() {
		defer wg.Done()
		first.Store(a.Load())
		second.Store(a.Load())
	}()
	wg.Wait()
	x, y := first.Load(), second.Load()
	bad := false
	switch os.Args[1] {
	case "1": // the other runs first
		bad = x == 0
	case "2": // and exactly in the middle
		bad = x == steps/2
	case "3": // and is left in the middle itself
		bad = x == steps/2 && y == steps
	case "4": // and comes back before the end
		bad = x == steps/2 && y == steps-2
	}
	if bad {
		os.Exit(1)
	}
}
