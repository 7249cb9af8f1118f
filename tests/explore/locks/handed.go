// lockorder: 0
// deadlocks: 0
package main

import "sync"

// Who has given a lock for reading to another goroutine, which gives it back,
// does not hold it any more.
func one() {
	var a sync.RWMutex
	var b sync.Mutex
	var done sync.WaitGroup
	given, back := make(chan bool), make(chan bool)
	done.Add(2)
	go func() {
		<-given
		a.RUnlock()
		back <- true
	}()
	go func() {
		defer done.Done()
		a.RLock()
		given <- true
		<-back
		b.Lock()
		b.Unlock()
	}()
	go func() {
		defer done.Done()
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
	done.Wait()
}

// Of two readers nobody knows whose lock it is that a third gives back.
func two() {
	var a sync.RWMutex
	var b sync.Mutex
	var done sync.WaitGroup
	given, back, both := make(chan bool), make(chan bool), make(chan bool)
	done.Add(3)
	go func() {
		for range 2 {
			<-given
		}
		close(both)
		for range 2 {
			a.RUnlock()
			back <- true
		}
	}()
	for range 2 {
		go func() {
			defer done.Done()
			a.RLock()
			given <- true
			<-back
			b.Lock()
			b.Unlock()
		}()
	}
	go func() {
		defer done.Done()
		<-both
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
	done.Wait()
}

func main() {
	one()
	two()
}
