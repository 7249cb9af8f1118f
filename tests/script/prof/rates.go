// run

// Rates that change while the program runs: each object is found again when it
// is freed.

package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

type obj struct {
	next *obj
	pad  [3]int
}

var keep []*obj
var fin atomic.Int64

func some(n int) {
	for i := 0; i < n; i++ {
		o := &obj{}
		if i%3 == 0 {
			keep = append(keep, o)
		}
		if i%50 == 0 {
			runtime.SetFinalizer(o, func(*obj) { fin.Add(1) })
		}
	}
}

func count(size int64) (a, f int64) {
	var r []runtime.MemProfileRecord
	for {
		n, ok := runtime.MemProfile(r, true)
		if ok {
			r = r[:n]
			break
		}
		r = make([]runtime.MemProfileRecord, n+100)
	}
	for i := range r {
		if r[i].AllocObjects > 0 && r[i].AllocBytes/r[i].AllocObjects == size {
			a += r[i].AllocObjects
			f += r[i].FreeObjects
		}
	}
	return
}

func main() {
	// Rates that change, so that both kinds of records are in the same spans.
	for k := 0; k < 6; k++ {
		runtime.MemProfileRate = []int{1, 0, 40, 1, 64, 1}[k]
		some(3000)
		if k%2 == 1 {
			keep = keep[:len(keep)/2]
			clear(keep[len(keep):cap(keep)])
			runtime.GC()
		}
	}
	keep = nil
	// What has a finalizer is freed by a collection after the one that runs
	// it, and a profile tells of frees two collections later.
	for fin.Load() < 6*3000/50 {
		runtime.GC()
		runtime.Gosched()
	}
	for i := 0; i < 4; i++ {
		runtime.GC()
	}
	a, f := count(32)
	fmt.Println(a >= 9000, a < 18000, a-f < 5)
	if a-f >= 5 {
		fmt.Println(a, f)
	}
}
