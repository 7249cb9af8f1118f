// run
// concurrent
// SPDX-License-Identifier: MIT

// Goroutine stacks grow while others point at what the goroutines share.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type big struct{ a [64]int }

func deep(n int, acc *int, b big) int {
	b.a[n%64] = n
	if n == 0 {
		return *acc
	}
	*acc += b.a[n%64] & 1
	defer func() {
		if b.a[n%64] != n {
			panic("frame damaged")
		}
	}()
	return deep(n-1, acc, b) + b.a[n%64] - n
}

func mutual(n int, c chan int) int {
	if n == 0 {
		c <- 1
		return <-c
	}
	local := [8]int{n, n + 1}
	r := mutual(n-1, c)
	return r + local[1] - local[0]
}

func withPanic(n int) (r int) {
	defer func() {
		if e := recover(); e != nil {
			r = e.(int) + 1
			if n%100 != 0 {
				panic(r)
			}
		}
	}()
	if n == 0 {
		panic(0)
	}
	return withPanic(n - 1)
}

func main() {
	var wg sync.WaitGroup
	res := make([]int, 20)
	for i := range res {
		wg.Add(1)
		go func() {
			defer wg.Done()
			acc := 0
			res[i] = deep(200+i*10, &acc, big{})
			if i%5 == 0 {
				runtime.GC()
			}
		}()
	}
	wg.Wait()
	fmt.Println(res)

	// Blocked in a select deep down while the stack is large.
	chans := make([]chan int, 10)
	out := make(chan int, 10)
	for i := range chans {
		chans[i] = make(chan int)
		go func() { out <- mutual(500*(i+1), chans[i]) }()
	}
	total := 0
	for _, c := range chans {
		v := <-c
		runtime.Gosched()
		c <- v * 10
	}
	for range chans {
		total += <-out
	}
	fmt.Println(total)
	fmt.Println(withPanic(99), withPanic(250))
	var fs func(n int, f func() int) int
	fs = func(n int, f func() int) int {
		if n == 0 {
			return f()
		}
		x := n
		return fs(n-1, func() int { x++; return f() + x })
	}
	fmt.Println(fs(300, func() int { return 0 }))
	var walk func(n int) int
	walk = func(n int) int {
		if n == 0 {
			return 0
		}
		return 1 + walk(n-1)
	}
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for d := 1; d <= 10000; d *= 10 {
				if walk(d) != d {
					panic("wrong depth")
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println(walk(100000))
}
