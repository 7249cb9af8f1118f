// lockorder: 1
// says: main.oneWay
// says: main.otherWay
package main

import (
	"sync"
	"time"
)

var a, b sync.Mutex

func oneWay() {
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
}

func otherWay() {
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
}

func main() {
	var done sync.WaitGroup
	done.Add(2)
	go func() {
		defer done.Done()
		oneWay()
	}()
	go func() {
		defer done.Done()
		time.Sleep(10 * time.Millisecond) // it goes well, but only by time
		otherWay()
	}()
	done.Wait()
}
