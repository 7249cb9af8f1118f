// run
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// What each operation does with no address.
func missing() {
	var a *int32
	var b *uint64
	var p *unsafe.Pointer
	var m *atomic.Int64
	var l *sync.Mutex
	for i, f := range []func(){
		func() { atomic.AddInt32(a, 1) },
		func() { atomic.LoadInt32(a) },
		func() { atomic.StoreUint64(b, 2) },
		func() { atomic.SwapUint64(b, 2) },
		func() { atomic.CompareAndSwapInt32(a, 1, 2) },
		func() { atomic.OrUint64(b, 2) },
		func() { atomic.AndInt32(a, 2) },
		func() { atomic.LoadPointer(p) },
		func() { m.Add(3) },
		func() { m.Load() },
		func() { l.Lock() },
	} {
		for k := 0; k < 300; k++ {
			func() {
				defer func() {
					e := recover()
					if k == 299 {
						fmt.Println(i, e)
					}
				}()
				f()
			}()
		}
	}
}

type counters struct {
	n32     atomic.Int32
	n64     atomic.Uint64
	bits    atomic.Uint32
	done    atomic.Bool
	last    atomic.Pointer[int]
	by      int64
	claimed int32
}

// Nothing is lost, whoever comes in between.
func together() {
	const workers, rounds = 4, 20000
	var c counters
	var wg sync.WaitGroup
	var mu sync.Mutex
	under := 0
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mine := 0
			for i := 0; i < rounds; i++ {
				c.n32.Add(1)
				c.n64.Add(3)
				c.bits.Or(1 << (i % 32))
				for {
					old := atomic.LoadInt64(&c.by)
					if atomic.CompareAndSwapInt64(&c.by, old, old+int64(w)) {
						break
					}
				}
				if atomic.SwapInt32(&c.claimed, 1) == 0 {
					mine++
					atomic.StoreInt32(&c.claimed, 0)
				}
				now := mine // which others may read
				c.last.Store(&now)
				if *c.last.Load() < 0 {
					panic("negative")
				}
				mu.Lock()
				under++
				mu.Unlock()
			}
			c.done.Store(true)
		}()
	}
	wg.Wait()
	fmt.Println(c.n32.Load(), c.n64.Load(), c.bits.Load(), c.done.Load(),
		c.by, c.last.Load() != nil, under)
}

func main() {
	missing()
	together()
}
