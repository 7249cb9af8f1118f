// run
// concurrent
// SPDX-License-Identifier: MIT

// Dining philosophers, by ordered locks and by channels as forks.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

const N = 5

func byLocks(meals int) [N]int {
	var forks [N]sync.Mutex
	var eaten [N]int
	var wg sync.WaitGroup
	for p := 0; p < N; p++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a, b := p, (p+1)%N
			if a > b {
				a, b = b, a
			}
			for i := 0; i < meals; i++ {
				forks[a].Lock()
				runtime.Gosched()
				forks[b].Lock()
				eaten[p]++
				forks[b].Unlock()
				forks[a].Unlock()
			}
		}()
	}
	wg.Wait()
	return eaten
}

func byChannels(meals int) (eaten [N]int) {
	var forks [N]chan struct{}
	for i := range forks {
		forks[i] = make(chan struct{}, 1)
		forks[i] <- struct{}{}
	}
	room := make(chan struct{}, N-1)
	var wg sync.WaitGroup
	for p := range N {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range meals {
				room <- struct{}{}
				<-forks[p]
				runtime.Gosched()
				<-forks[(p+1)%N]
				eaten[p]++
				forks[p] <- struct{}{}
				forks[(p+1)%N] <- struct{}{}
				<-room
			}
		}()
	}
	wg.Wait()
	return
}

func byTry(meals int) (eaten [N]int) {
	var forks [N]sync.Mutex
	var wg sync.WaitGroup
	for p := range N {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for eaten[p] < meals {
				forks[p].Lock()
				if forks[(p+1)%N].TryLock() {
					eaten[p]++
					forks[(p+1)%N].Unlock()
				}
				forks[p].Unlock()
				runtime.Gosched()
			}
		}()
	}
	wg.Wait()
	return
}

func main() {
	fmt.Println(byLocks(100))
	fmt.Println(byChannels(100))
	fmt.Println(byTry(50))
}
