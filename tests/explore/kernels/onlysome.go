// end: partial deadlock
// within: 300
// says: a circle: goroutine

package main

import (
	"sync"
	"time"
)

func main() {
	var a, b sync.Mutex
	go func() {
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	}()
	go func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
	for i := 0; i < 50; i++ {
		time.Sleep(time.Second)
	}
}
