// run
// concurrent
// SPDX-License-Identifier: MIT

// sync/atomic: functions and types, under contention.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

type cfg struct {
	a, b int
}

func main() {
	var i32 int32
	var u32 uint32
	var i64 int64
	var u64 uint64
	var up uintptr
	var wg sync.WaitGroup
	for g := 0; g < 10; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 500; i++ {
				atomic.AddInt32(&i32, 1)
				atomic.AddUint32(&u32, ^uint32(0))
				atomic.AddInt64(&i64, 3)
				atomic.AddUint64(&u64, 2)
				atomic.AddUintptr(&up, 1)
			}
		}()
	}
	wg.Wait()
	fmt.Println(i32, u32, i64, u64, up, atomic.LoadInt32(&i32), atomic.LoadUint64(&u64))
	fmt.Println(atomic.SwapInt64(&i64, -1), i64, atomic.CompareAndSwapInt64(&i64, -1, 7), atomic.CompareAndSwapInt64(&i64, -1, 8), i64)
	atomic.StoreUint32(&u32, 9)
	fmt.Println(u32, atomic.AddInt32(&i32, -5000))

	var n atomic.Int64
	var spins atomic.Uint32
	var flag atomic.Bool
	for g := 0; g < 8; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 200; i++ {
				for {
					old := n.Load()
					if n.CompareAndSwap(old, old+1) {
						break
					}
					spins.Add(1)
				}
			}
			flag.Store(true)
		}()
	}
	wg.Wait()
	fmt.Println(n.Load(), flag.Load(), flag.Swap(false), flag.CompareAndSwap(false, true), flag.Load())

	// A spin lock made of one word.
	var lock atomic.Int32
	count := 0
	for g := 0; g < 6; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 100; i++ {
				for !lock.CompareAndSwap(0, 1) {
				}
				count++
				lock.Store(0)
			}
		}()
	}
	wg.Wait()
	fmt.Println(count)

	var v atomic.Value
	fmt.Println(v.Load())
	v.Store(cfg{1, 1})
	stop := make(chan bool)
	wg.Add(3)
	for r := 0; r < 3; r++ {
		go func() {
			defer wg.Done()
			for {
				c := v.Load().(cfg)
				if c.a != c.b {
					panic("torn value")
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
	}
	for i := 0; i < 300; i++ {
		v.Store(cfg{i, i})
	}
	close(stop)
	wg.Wait()
	fmt.Println(v.Load(), v.Swap(cfg{5, 5}), v.CompareAndSwap(cfg{5, 5}, cfg{6, 6}), v.Load())
	func() {
		defer func() { fmt.Println(recover()) }()
		v.Store("other type")
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		v.Store(nil)
	}()
	x, y := 1, 2
	p := unsafe.Pointer(&x)
	old := atomic.SwapPointer(&p, unsafe.Pointer(&y))
	fmt.Println(*(*int)(old), *(*int)(atomic.LoadPointer(&p)))
	var un atomic.Uintptr
	var u atomic.Uint64
	u.Store(10)
	fmt.Println(un.Add(4), u.Add(^uint64(0)), u.Swap(1), u.Load())
}
