// SPDX-License-Identifier: MIT

// Counts letters with several goroutines. All of them share one table under
// one mutex; with -own each has a table of its own, and the tables are added
// up at the end. The traces of the two tell the difference (docs/TRACE.md):
//
//	vole run -trace shared.trace examples/contention.go
//	vole run -trace own.trace examples/contention.go -own
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

const (
	workers = 4
	rounds  = 400
)

var text = strings.Repeat("the quick brown fox jumps over the lazy dog ", 4)

type table struct {
	mu sync.Mutex
	n  [26]int
}

// count adds the letters of the text. The lock is held while it looks at each
// word, which is the mistake, and yields now and then, as real work does.
func (t *table) count(words []string) {
	for i, w := range words {
		t.mu.Lock()
		for _, c := range w {
			t.n[c-'a']++
		}
		if i%16 == 0 {
			runtime.Gosched()
		}
		t.mu.Unlock()
	}
}

func (t *table) add(o *table) {
	for i, n := range o.n {
		t.n[i] += n
	}
}

func main() {
	own := len(os.Args) > 1 && os.Args[1] == "-own"
	words := strings.Fields(text)
	shared := &table{}
	tables := make([]*table, workers)
	var wg sync.WaitGroup
	for i := range tables {
		tables[i] = shared
		if own {
			tables[i] = &table{}
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range rounds {
				tables[i].count(words)
			}
		}()
	}
	wg.Wait()
	if own {
		for _, t := range tables {
			shared.add(t)
		}
	}
	for i, n := range shared.n {
		fmt.Printf("%c %5d\n", 'a'+i, n)
	}
}
