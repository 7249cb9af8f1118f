// run
// concurrent: 5

// Cells: blocks of many frames, which fill chunks and are given back, by return
// and by recovered panics.
package main

import (
	"fmt"
	"runtime"
)

func each(a []int, f func(int)) {
	for _, x := range a {
		f(x)
	}
}

func sum(a []int) (s int) {
	each(a, func(x int) { s += x })
	return s
}

// A block of each frame, in several chunks.
func deep(n int, up func(int)) (r int) {
	m := n
	add := func(k int) {
		r += k
		up(k & 1)
	}
	if n == 0 {
		runtime.GC()
		return 1
	}
	add(m)
	r += deep(n-1, add)
	return r
}

// The variable is made anew, and zero, in each round; the block stays.
func rounds(n int) (t int) {
	for i := 0; i < n; i++ {
		var x, y int
		set := func(v int) { x += v; y = x }
		set(i)
		set(1)
		t += x ^ y
		if i%3 == 0 {
			var z *int
			f := func() { z = &t }
			if z == nil {
				f()
			}
			*z += 2
		}
	}
	return t
}

// More words than machine code zeroes by itself.
func large(n int) int {
	var a [40]int
	f := func(i int) { a[i%40] += i }
	for i := 0; i < n; i++ {
		f(i)
	}
	return a[7]
}

// Frames above are cut off with their blocks.
func thrown(n, at int) (r int) {
	k := n
	defer func() {
		if n%7 == 0 {
			if e := recover(); e != nil {
				r = e.(int) + k
			}
		}
	}()
	inc := func() { k++ }
	inc()
	if n == at {
		panic(at)
	}
	r = thrown(n+1, at) + k
	return r
}

// Only some ways make the block.
func seldom(i int) (r int) {
	if i%5 == 0 {
		x := i
		f := func() { x *= 2 }
		f()
		return x
	}
	return i
}

func main() {
	a := []int{1, 2, 3, 4}
	t := 0
	for i := 0; i < 5000; i++ {
		t += sum(a) + seldom(i)
	}
	fmt.Println(t, rounds(5000), large(5000))
	t = 0
	for i := 0; i < 20; i++ {
		u := 0
		t += deep(i*10, func(k int) { u += k }) + u
	}
	fmt.Println(t)
	t = 0
	for i := 0; i < 100; i++ {
		t += thrown(0, i)
	}
	fmt.Println(t)
	done := make(chan int)
	for i := 0; i < 8; i++ {
		go func() { done <- deep(100+i, func(int) {}) + thrown(0, 50) }()
	}
	t = 0
	for i := 0; i < 8; i++ {
		t += <-done
	}
	fmt.Println(t)
}
