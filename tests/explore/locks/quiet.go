// lockorder: 0
package main

import "sync"

type pair struct{ a, b sync.Mutex }

func (p *pair) oneWay() {
	p.a.Lock()
	p.b.Lock()
	p.b.Unlock()
	p.a.Unlock()
}

func (p *pair) otherWay() {
	p.b.Lock()
	p.a.Lock()
	p.a.Unlock()
	p.b.Unlock()
}

// Both goroutines have the gate.
func gate() {
	var p pair
	var gate sync.Mutex
	var done sync.WaitGroup
	for i := range 2 {
		done.Add(1)
		go func() {
			defer done.Done()
			gate.Lock()
			defer gate.Unlock()
			if i == 0 {
				p.oneWay()
			} else {
				p.otherWay()
			}
		}()
	}
	done.Wait()
}

// One is over before the other begins: by a wait group, a channel, a select,
// the go statement.
func joined() {
	var p pair
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		p.oneWay()
	}()
	done.Wait()
	done.Add(1)
	go func() {
		defer done.Done()
		p.otherWay()
	}()
	done.Wait()
}

func told() {
	var p pair
	c, d := make(chan int), make(chan int, 1)
	go func() {
		p.oneWay()
		c <- 1
	}()
	go func() {
		<-c
		p.otherWay()
		d <- 1
	}()
	<-d
	go func() {
		select {
		case <-d:
		case <-c:
		}
		p.oneWay()
		close(c)
	}()
	d <- 1
	<-c
}

func born() {
	var p pair
	p.oneWay()
	done := make(chan bool)
	go func() {
		p.otherWay()
		close(done)
	}()
	<-done
}

// Only one goroutine.
func alone() {
	var p pair
	p.oneWay()
	p.otherWay()
}

// Readers do not keep each other out.
func readers() {
	var a, b sync.RWMutex
	var done sync.WaitGroup
	done.Add(2)
	go func() {
		defer done.Done()
		a.RLock()
		b.RLock()
		b.RUnlock()
		a.RUnlock()
	}()
	go func() {
		defer done.Done()
		b.RLock()
		a.RLock()
		a.RUnlock()
		b.RUnlock()
	}()
	done.Wait()
}

// Locks that have been given back do not count, and neither do those of other
// objects that had the same place before.
func fresh() {
	var done sync.WaitGroup
	for i := range 2000 {
		done.Add(1)
		go func() {
			defer done.Done()
			p := new(pair)
			if i%2 == 0 {
				p.oneWay()
			} else {
				p.otherWay()
			}
		}()
	}
	done.Wait()
}

func main() {
	gate()
	joined()
	told()
	born()
	alone()
	readers()
	fresh()
}
