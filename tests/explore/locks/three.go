// lockorder: 1
// says: 3 goroutines take 3 locks
package main

import (
	"sync"
	"time"
)

func main() {
	forks := make([]sync.Mutex, 3)
	var done sync.WaitGroup
	for i := range forks {
		done.Add(1)
		go func() {
			defer done.Done()
			time.Sleep(time.Duration(i) * 10 * time.Millisecond)
			forks[i].Lock()
			forks[(i+1)%3].Lock()
			forks[(i+1)%3].Unlock()
			forks[i].Unlock()
		}()
	}
	done.Wait()
}
