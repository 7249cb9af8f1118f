// run
// SPDX-License-Identifier: MIT

// Finalizers: run once, after the object is unreachable, may revive it.
package main

import (
	"fmt"
	"runtime"
	"sort"
	"time"
)

type res struct {
	id   int
	next *res
}

func collect(c chan int, want int) []int {
	var got []int
	deadline := time.After(20 * time.Second)
	for len(got) < want {
		runtime.GC()
		select {
		case v := <-c:
			got = append(got, v)
		case <-time.After(time.Millisecond):
		case <-deadline:
			return got
		}
	}
	sort.Ints(got)
	return got
}

//go:noinline
func clobber(n int) int {
	if n == 0 {
		return 0
	}
	var a [32]int
	a[n%32] = n
	return clobber(n-1) + a[n%32]
}

func makeThem(c chan int, n int) {
	for i := 0; i < n; i++ {
		r := &res{id: i}
		runtime.SetFinalizer(r, func(r *res) { c <- r.id })
	}
}

func chained(c chan int) {
	a := &res{id: 1}
	b := &res{id: 2, next: a}
	runtime.SetFinalizer(a, func(r *res) { c <- r.id })
	runtime.SetFinalizer(b, func(r *res) { c <- r.id*10 + r.next.id })
}

var saved *res

func revived(c chan int) {
	r := &res{id: 7}
	runtime.SetFinalizer(r, func(r *res) { saved = r; c <- r.id })
}

func cleared(c chan int) {
	r := &res{id: 100}
	runtime.SetFinalizer(r, func(r *res) { c <- -1 })
	runtime.SetFinalizer(r, nil)
}

func main() {
	c := make(chan int, 100)
	kept := &res{id: 50}
	runtime.SetFinalizer(kept, func(r *res) { c <- -50 })
	go makeThem(c, 20)
	got := collect(c, 20)
	fmt.Println(len(got), got)
	done := make(chan bool)
	go func() { cleared(c); revived(c); clobber(50); done <- true }()
	<-done
	fmt.Println(collect(c, 1), saved.id)
	saved = nil
	runtime.GC()
	runtime.GC()
	fmt.Println(len(c))
	go func() { chained(c); clobber(50); done <- true }()
	<-done
	fmt.Println(collect(c, 2))
	fmt.Println(kept.id)
	runtime.KeepAlive(kept)
	func() {
		defer func() { fmt.Println(recover() != nil) }()
		defer func() {
			if r := recover(); r != nil {
				panic(r)
			}
		}()
		var np *res
		_ = np.id
	}()
}
