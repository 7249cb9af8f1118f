// run
// concurrent
// SPDX-License-Identifier: MIT

// Unbuffered hand-off in both directions, also through a ring of goroutines.
package main

import "fmt"

func ponger(in <-chan int, out chan<- int) {
	for v := range in {
		out <- v + 1
	}
	close(out)
}

func ring(n, laps int) int {
	first := make(chan int)
	prev := first
	for i := 1; i < n; i++ {
		next := make(chan int)
		go func(in <-chan int, out chan<- int) {
			for v := range in {
				out <- v + 1
			}
			close(out)
		}(prev, next)
		prev = next
	}
	total := 0
	for i := 0; i < laps; i++ {
		first <- total
		total = <-prev
	}
	close(first)
	_, ok := <-prev
	fmt.Println("ring closed:", !ok)
	return total
}

func main() {
	a, b := make(chan int), make(chan int)
	go ponger(a, b)
	v := 0
	for i := 0; i < 5000; i++ {
		a <- v
		v = <-b
	}
	close(a)
	_, ok := <-b
	fmt.Println(v, ok)
	fmt.Println(ring(50, 40))
	type msg struct {
		a [5]int
		s string
		r chan msg
	}
	c := make(chan msg)
	go func() {
		m := <-c
		m.a[4] *= 2
		m.s += " back"
		m.r <- m
	}()
	m := msg{a: [5]int{1, 2, 3, 4, 5}, s: "there and", r: make(chan msg)}
	c <- m
	back := <-m.r
	fmt.Println(back.a, back.s, m.a, m.s)
	done := make(chan struct{})
	go func() { done <- struct{}{} }()
	fmt.Println(<-done)
}
