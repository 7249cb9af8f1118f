// run
// concurrent
// SPDX-License-Identifier: MIT

// Once, OnceFunc, OnceValue, Pool and sync.Map under contention.
package main

import (
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

type conf struct{ n int }

func main() {
	var once sync.Once
	var calls atomic.Int32
	var c *conf
	var wg sync.WaitGroup
	for i := 0; i < 50; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			once.Do(func() {
				calls.Add(1)
				c = &conf{42}
			})
			if c.n != 42 {
				panic("not initialised")
			}
		}()
	}
	wg.Wait()
	fmt.Println(calls.Load(), c.n)
	once.Do(func() { fmt.Println("never") })

	var po sync.Once
	func() {
		defer func() { fmt.Println("panic in Do:", recover()) }()
		po.Do(func() { panic("once") })
	}()
	po.Do(func() { fmt.Println("never") })
	n := 0
	f := sync.OnceFunc(func() { n++ })
	f()
	f()
	fmt.Println(n)

	pool := sync.Pool{New: func() interface{} { calls.Add(1); return new([64]byte) }}
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < 100; j++ {
				b := pool.Get().(*[64]byte)
				for k := range b {
					b[k] = byte(i)
				}
				for k := range b {
					if b[k] != byte(i) {
						panic("shared buffer")
					}
				}
				pool.Put(b)
			}
		}()
	}
	wg.Wait()
	var empty sync.Pool
	fmt.Println(empty.Get())
	empty.Put(nil)

	var m sync.Map
	var stored atomic.Int32
	for g := 0; g < 6; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 100; i++ {
				if _, loaded := m.LoadOrStore(i, g); !loaded {
					stored.Add(1)
				}
				if _, ok := m.Load(i); !ok {
					panic("lost key")
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println(stored.Load())
	for i := 10; i < 100; i++ {
		m.Delete(i)
	}
	var keys []int
	m.Range(func(k, v interface{}) bool {
		keys = append(keys, k.(int))
		return true
	})
	sort.Ints(keys)
	fmt.Println(keys)
	m.Store("k", 1)
	v, loaded := m.LoadAndDelete("k")
	_, ok := m.Load("k")
	fmt.Println(v, loaded, ok)
	prev, had := m.Swap(3, "new")
	_ = prev
	fmt.Println(had, m.CompareAndSwap(3, "old", "x"), m.CompareAndSwap(3, "new", "x"), m.CompareAndDelete(3, "y"), m.CompareAndDelete(3, "x"))
	count := 0
	m.Range(func(k, v interface{}) bool { count++; return count < 4 })
	fmt.Println(count)
}
