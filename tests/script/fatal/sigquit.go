// fatal
// own words
// SPDX-License-Identifier: MIT

// SIGQUIT tells what all goroutines do, and ends the program.  (Go has the
// registers, too.)
package main

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

func waits(c chan int) { <-c }

func deep(n int, mu *sync.Mutex) {
	if n > 0 {
		deep(n-1, mu)
		return
	}
	mu.Lock()
}

func blocked(n int, mu *sync.Mutex) {
	deep(n, mu)
}

func main() {
	c := make(chan int)
	var mu sync.Mutex
	mu.Lock()
	go waits(c)
	go waits(nil)
	go blocked(3, &mu)
	for buf := make([]byte, 1<<16); ; runtime.Gosched() {
		all := string(buf[:runtime.Stack(buf, true)])
		if strings.Contains(all, "[chan receive]") &&
			strings.Contains(all, "[chan receive (nil chan)]") &&
			strings.Contains(all, "[sync.Mutex.Lock]") {
			break
		}
	}
	syscall.Kill(os.Getpid(), syscall.SIGQUIT)
	time.Sleep(time.Hour)
}
