// lockorder: 2
// says: since.go:42
// says: since.go:68
package main

import (
	"sync"
	"time"
)

func nested(outer, inner *sync.Mutex) {
	outer.Lock()
	inner.Lock()
	inner.Unlock()
	outer.Unlock()
}

// Whoever has heard of it, from somebody who takes no locks, comes after.
func told() {
	var a, b sync.Mutex
	var done sync.WaitGroup
	first, second := make(chan bool), make(chan bool)
	done.Go(func() {
		nested(&a, &b)
		first <- true
	})
	done.Go(func() { second <- <-first })
	done.Go(func() {
		<-second
		nested(&b, &a)
	})
	done.Wait()
}

// What was told before any lock was taken is no order of those that are.
func before() {
	var a, b sync.Mutex
	var done sync.WaitGroup
	early := make(chan bool, 1)
	done.Go(func() {
		early <- true
		nested(&a, &b)
	})
	done.Go(func() {
		<-early
		time.Sleep(10 * time.Millisecond)
		nested(&b, &a)
	})
	done.Wait()
}

// Nor is what was told when the locks had been taken once of the second time.
func between() {
	var a, b sync.Mutex
	var done sync.WaitGroup
	once := make(chan bool, 1)
	done.Go(func() {
		for i := range 2 {
			nested(&a, &b)
			if i == 0 {
				once <- true
			}
		}
	})
	done.Go(func() {
		<-once
		time.Sleep(10 * time.Millisecond)
		nested(&b, &a)
	})
	done.Wait()
}

func main() {
	told()
	before()
	between()
}
