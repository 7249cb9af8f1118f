// end: no end
// within: 200
// says: fatal error: the program does not come to an end within 10000000 points; -sched-budget allows more

package main

import "sync/atomic"

func main() {
	var ready, taken atomic.Bool
	go func() {
		if !taken.Load() {
			ready.Store(true)
		}
	}()
	taken.Store(true)
	for !ready.Load() {
	}
}
