// fatal
// SPDX-License-Identifier: MIT

package main

import "sync"

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	var rw sync.RWMutex
	rw.RLock()
	go rw.Lock()
	mu.Lock()
	c.Wait()
}
