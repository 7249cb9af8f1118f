// lockorder: 0
package main

import "sync"

// More locks than one would write down are held when the two goroutines take
// a and b in different orders.  One lock, the first of all or the last, keeps
// them apart.
const many = 20

func take(first, last *sync.Mutex, own []sync.Mutex, from, to *sync.Mutex) {
	first.Lock()
	for i := range own {
		own[i].Lock()
	}
	last.Lock()
	from.Lock()
	to.Lock()
	to.Unlock()
	from.Unlock()
	last.Unlock()
	for i := range own {
		own[i].Unlock()
	}
	first.Unlock()
}

// Nobody else ever takes these, but anybody could.
var left, right [many]sync.Mutex
var leftGate, rightGate sync.Mutex

func main() {
	var gate, a, b, c, d sync.Mutex
	var done sync.WaitGroup

	done.Add(2)
	go func() {
		defer done.Done()
		take(&gate, &leftGate, left[:], &a, &b)
	}()
	go func() {
		defer done.Done()
		take(&gate, &rightGate, right[:], &b, &a)
	}()
	done.Wait()
	done.Add(2)
	go func() {
		defer done.Done()
		take(&leftGate, &gate, left[:], &c, &d)
	}()
	go func() {
		defer done.Done()
		take(&rightGate, &gate, right[:], &d, &c)
	}()
	done.Wait()
}
