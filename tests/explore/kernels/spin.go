// end: no end
// within: 200

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
