// Some goroutines that work for a second.
package main

import (
	"sync"
	"time"
)

func work(until time.Time) (sum int) {
	for time.Now().Before(until) {
		for i := 0; i < 1000; i++ {
			sum += i * i
		}
		time.Sleep(time.Millisecond)
	}
	return sum
}

func main() {
	var wg sync.WaitGroup
	until := time.Now().Add(time.Second)
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(until)
		}()
	}
	wg.Wait()
}
