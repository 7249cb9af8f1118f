// run
// concurrent
// SPDX-License-Identifier: MIT

// Cond: a bounded queue, signal and broadcast.
package main

import (
	"fmt"
	"sync"
)

type queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	items    []int
	max      int
	closed   bool
}

func newQueue(max int) *queue {
	q := &queue{max: max}
	q.notEmpty = sync.NewCond(&q.mu)
	q.notFull = sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == q.max {
		q.notFull.Wait()
	}
	q.items = append(q.items, v)
	q.notEmpty.Signal()
}

func (q *queue) get() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		if q.closed {
			return 0, false
		}
		q.notEmpty.Wait()
	}
	v := q.items[0]
	q.items = q.items[1:]
	q.notFull.Signal()
	return v, true
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.notEmpty.Broadcast()
}

func main() {
	q := newQueue(4)
	var prod, cons sync.WaitGroup
	sums := make([]int, 6)
	for c := range sums {
		cons.Add(1)
		go func() {
			defer cons.Done()
			for {
				v, ok := q.get()
				if !ok {
					return
				}
				sums[c] += v
			}
		}()
	}
	for p := 0; p < 5; p++ {
		prod.Add(1)
		go func() {
			defer prod.Done()
			for i := 0; i < 200; i++ {
				q.put(p*1000 + i)
			}
		}()
	}
	prod.Wait()
	q.close()
	cons.Wait()
	total := 0
	for _, s := range sums {
		total += s
	}
	fmt.Println(total, len(q.items))

	// Broadcast wakes all that wait, each exactly once.
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready, woken, waiting := false, 0, 0
	var wg sync.WaitGroup
	for i := 0; i < 25; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			waiting++
			for !ready {
				c.Wait()
			}
			woken++
			mu.Unlock()
		}()
	}
	for {
		mu.Lock()
		n := waiting
		mu.Unlock()
		if n == 25 {
			break
		}
	}
	mu.Lock()
	ready = true
	mu.Unlock()
	c.Broadcast()
	wg.Wait()
	fmt.Println(woken)

	// Signal wakes waiters in the order in which they came.
	turn := 0
	order := []int{}
	queued := 0
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			queued++
			c.Wait()
			order = append(order, i)
			turn++
			mu.Unlock()
		}()
		for {
			mu.Lock()
			n := queued
			mu.Unlock()
			if n == i+1 {
				break
			}
		}
	}
	for i := 0; i < 8; i++ {
		c.Signal()
		for {
			mu.Lock()
			n := turn
			mu.Unlock()
			if n == i+1 {
				break
			}
		}
	}
	wg.Wait()
	fmt.Println(order)
}
