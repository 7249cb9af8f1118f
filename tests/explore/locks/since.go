// lockorder: 2
// says: since.go:49
// says: since.go:75
package main

import (
	"sync"
	"time"
)

// Whoever has heard of it, from somebody who takes no locks, comes after.
func told() {
	var a, b sync.Mutex
	var done sync.WaitGroup
	first, second := make(chan bool), make(chan bool)
	done.Add(3)
	go func() {
		defer done.Done()
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
		first <- true
	}()
	go func() {
		defer done.Done()
		second <- <-first
	}()
	go func() {
		defer done.Done()
		<-second
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
	done.Wait()
}

// What was told before any lock was taken is no order of those that are.
func before() {
	var a, b sync.Mutex
	var done sync.WaitGroup
	early := make(chan bool, 1)
	done.Add(2)
	go func() {
		defer done.Done()
		early <- true
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	}()
	go func() {
		defer done.Done()
		<-early
		time.Sleep(10 * time.Millisecond)
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
	done.Wait()
}

// Nor is what was told when the locks had been taken once of the second time.
func between() {
	var a, b sync.Mutex
	var done sync.WaitGroup
	once := make(chan bool, 1)
	done.Add(2)
	go func() {
		defer done.Done()
		for i := range 2 {
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
			if i == 0 {
				once <- true
			}
		}
	}()
	go func() {
		defer done.Done()
		<-once
		time.Sleep(10 * time.Millisecond)
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
	done.Wait()
}

func main() {
	told()
	before()
	between()
}
