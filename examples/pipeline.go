// SPDX-License-Identifier: MIT

// A text pipeline with something of everything: stages joined by channels, a
// pool of workers, a contended mutex, sleeping goroutines, garbage to collect.
// Made for a look at its trace:
//
//	vole run -trace out.trace examples/pipeline.go
//	vole-trace summary out.trace
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"
)

const verse = `the sun was shining on the sea shining with all his might
he did his very best to make the billows smooth and bright
and this was odd because it was the middle of the night`

type batch struct {
	id    int
	lines []string
}

type counts map[string]int

// read makes batches of lines, as from a slow device.
func read(n int) <-chan batch {
	out := make(chan batch, 4)
	go func() {
		defer close(out)
		lines := strings.Split(verse, "\n")
		for i := 0; i < n; i++ {
			b := batch{id: i}
			for k := 0; k < 40; k++ {
				b.lines = append(b.lines, fmt.Sprint(lines[(i+k)%len(lines)], " line", k%7))
			}
			if i%50 == 0 {
				time.Sleep(time.Millisecond)
			}
			out <- b
		}
	}()
	return out
}

// count turns batches into word counts, with several workers.
func count(in <-chan batch, workers int) <-chan counts {
	out := make(chan counts)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for b := range in {
				c := counts{}
				for _, line := range b.lines {
					for _, word := range strings.Fields(line) {
						c[strings.ToUpper(word)]++
					}
				}
				out <- c
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

// total is shared by everybody who adds to it.
type total struct {
	mu    sync.Mutex
	words counts
	n     int
}

func (t *total) add(c counts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for w, n := range c {
		t.words[w] += n
		t.n += n
	}
}

func main() {
	start := time.Now()
	t := &total{words: counts{}}

	// A reporter that mostly sleeps.
	stop := make(chan struct{})
	reported := make(chan int)
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		n := 0
		for {
			select {
			case <-tick.C:
				n++
			case <-stop:
				reported <- n
				return
			}
		}
	}()

	parts := count(read(300), 4)
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for c := range parts {
				t.add(c)
			}
		}()
	}
	wg.Wait()
	close(stop)
	ticks := <-reported

	type pair struct {
		word string
		n    int
	}
	var top []pair
	for w, n := range t.words {
		top = append(top, pair{w, n})
	}
	sort.Slice(top, func(i, j int) bool {
		if top[i].n != top[j].n {
			return top[i].n > top[j].n
		}
		return top[i].word < top[j].word
	})
	for _, p := range top[:5] {
		fmt.Printf("%6d %s\n", p.n, p.word)
	}
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Println(t.n, "words in all")
	fmt.Fprintf(os.Stderr, "%v, %d ticks, %d collections, %d goroutines left\n",
		time.Since(start).Round(time.Millisecond), ticks, ms.NumGC, runtime.NumGoroutine())
}
