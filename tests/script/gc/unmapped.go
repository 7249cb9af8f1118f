// run

// Pointers to memory that was unmapped stay what they are: the heap does not
// grow to where it was.
package main

import (
	"fmt"
	"runtime"
	"syscall"
)

const (
	page  = 4096
	piece = 64 << 20
)

var (
	stale [][]byte
	keep  [][]byte
)

func main() {
	for i := 0; i < 4; i++ {
		m, err := syscall.Mmap(-1, 0, piece, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			panic(err)
		}
		for at := 0; at < piece; at += page {
			stale = append(stale, m[at+page-1:at+page])
		}
		defer syscall.Munmap(m)
		if i%2 == 0 {
			syscall.Munmap(m)
		}
	}
	for i := 0; i < 100; i++ {
		for k := 0; k < 1000; k++ {
			keep = append(keep, make([]byte, 320))
		}
		keep = append(keep, make([]byte, 1<<20))
		if i%10 == 0 {
			runtime.GC()
		}
	}
	runtime.GC()
	fmt.Println(len(stale), len(keep))
}
