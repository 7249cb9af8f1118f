// concurrent

// Which allocations the memory profile samples is chance, which a program can
// see: in the profile, and in what a race is said to be about.
package main

import (
	"fmt"
	"runtime"
)

var kept [][]byte

func main() {
	for i := 0; i < 200; i++ {
		kept = append(kept, make([]byte, 20000+i))
	}
	runtime.GC()
	runtime.GC()
	records := make([]runtime.MemProfileRecord, 1000)
	n, ok := runtime.MemProfile(records, true)
	objects, bytes := int64(0), int64(0)
	for _, r := range records[:n] {
		objects += r.AllocObjects
		bytes += r.AllocBytes
	}
	fmt.Println(n, ok, objects, bytes, len(kept))
}
