// deadlocks: 1
// says: all goroutines are asleep
// says: for a lock that it took itself at asleep.go:
// says: main.again
package main

import "sync"

func again(mu *sync.Mutex) { mu.Lock() }

func main() {
	var mu sync.Mutex
	mu.Lock()
	again(&mu)
}
