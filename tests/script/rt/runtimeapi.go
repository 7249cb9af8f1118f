// run
// env: GOMAXPROCS=2
// SPDX-License-Identifier: MIT

// The small functions of package runtime.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
)

func main() {
	fmt.Println(runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(4), runtime.GOMAXPROCS(-1), runtime.GOMAXPROCS(1), runtime.GOMAXPROCS(0))
	fmt.Println(runtime.NumCPU() >= 1, runtime.GOOS, runtime.GOARCH, strings.HasPrefix(runtime.Version(), "go1.26"), runtime.Compiler != "")
	fmt.Println(runtime.NumGoroutine())
	var wg sync.WaitGroup
	stop := make(chan bool)
	for i := 0; i < 10; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); <-stop }()
	}
	fmt.Println(runtime.NumGoroutine())
	close(stop)
	wg.Wait()
	for runtime.NumGoroutine() > 1 {
		runtime.Gosched()
	}
	// With one P, Gosched lets the others run in turn.
	var order []int
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < 3; k++ {
				order = append(order, k)
				runtime.Gosched()
			}
		}()
	}
	wg.Wait()
	fmt.Println(len(order))
	runtime.GOMAXPROCS(8)
	var mu sync.Mutex
	n := 0
	for i := 0; i < 50; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < 20; k++ {
				if i == 25 && k%5 == 0 {
					runtime.GOMAXPROCS(1 + k/5)
				}
				mu.Lock()
				n++
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println(n, runtime.GOMAXPROCS(0))
	func() {
		defer func() {
			err, ok := recover().(runtime.Error)
			fmt.Println(ok, err)
			var re runtime.Error
			fmt.Println(errors.As(fmt.Errorf("wrap: %w", err), &re))
		}()
		var m map[string]int
		m["x"] = 1
	}()
	func() {
		defer func() {
			te, ok := recover().(*runtime.TypeAssertionError)
			fmt.Println(ok, te)
		}()
		var i interface{} = "s"
		_ = i.(int)
	}()
	func() {
		defer func() {
			pe, ok := recover().(*runtime.PanicNilError)
			fmt.Println(ok, pe)
		}()
		panic(nil)
	}()
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	g := ms.NumGC
	runtime.GC()
	runtime.ReadMemStats(&ms)
	fmt.Println(ms.NumGC > g, ms.Sys > 0, ms.HeapSys >= ms.HeapInuse, ms.HeapObjects > 0)
	runtime.KeepAlive(&ms)
	runtime.LockOSThread()
	runtime.UnlockOSThread()
	_ = []any{runtime.StopTrace, runtime.StartTrace, runtime.ReadTrace} // they are there
	runtime.SetCgoTraceback(0, nil, nil, nil)
	func() {
		defer func() { fmt.Println(recover()) }()
		runtime.SetCgoTraceback(1, nil, nil, nil)
	}()
}
