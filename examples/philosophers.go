// SPDX-License-Identifier: MIT

// Dining philosophers.  With -deadlock every one of them takes the left fork
// first; sooner or later all sit with one fork in hand, and the runtime says
// so: "all goroutines are asleep", and where each of them waits.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

var names = []string{"Hypatia", "Averroes", "Spinoza", "Weil", "Nagarjuna"}

type fork struct{ sync.Mutex }

type philosopher struct {
	name        string
	left, right *fork
	meals       int
}

func (p *philosopher) dine(meals int) {
	for p.meals < meals {
		p.left.Lock()
		runtime.Gosched() // think of something
		p.right.Lock()
		p.meals++
		p.right.Unlock()
		p.left.Unlock()
	}
}

func main() {
	deadlock := len(os.Args) > 1 && os.Args[1] == "-deadlock"
	forks := make([]*fork, len(names))
	for i := range forks {
		forks[i] = &fork{}
	}
	var table []*philosopher
	for i, name := range names {
		p := &philosopher{name: name, left: forks[i], right: forks[(i+1)%len(forks)]}
		if i == len(names)-1 && !deadlock {
			// One left-handed guest breaks the circle.
			p.left, p.right = p.right, p.left
		}
		table = append(table, p)
	}
	var wg sync.WaitGroup
	for _, p := range table {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.dine(1000)
		}()
	}
	wg.Wait()
	for _, p := range table {
		fmt.Printf("%-10s had %d meals\n", p.name, p.meals)
	}
}
