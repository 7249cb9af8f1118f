// For run_locks.py: so many goroutines at a time, each with a lock of its own
// that it takes under everybody's lock, and holds while the others come. The
// first argument is their number.

package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var wg sync.WaitGroup
	var all sync.Mutex
	own := make([]sync.Mutex, n)
	here, enough := make(chan int), make(chan bool)
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			all.Lock()
			own[i].Lock()
			all.Unlock()
			here <- i
			<-enough
			own[i].Unlock()
		}()
	}
	for range n {
		<-here
	}
	close(enough)
	wg.Wait()
	fmt.Println("passed")
}
