// SPDX-License-Identifier: MIT

// A program of the soak: goroutines that do work of all kinds at once, of which
// the results depend on the seed alone, and others that collect, change the
// number of Ps and how often is collected, and let goroutines be preempted.
//
//	soak SEED WORKERS ROUNDS
package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// random is a generator of its own: the library's may be seeded by chance.
type random uint64

func (r *random) next(n int) int {
	*r = *r*6364136223846793005 + 1442695040888963407
	return int(uint64(*r)>>33) % n
}

type tree struct {
	left, right *tree
	key         int
}

func (t *tree) insert(key int) *tree {
	switch {
	case t == nil:
		return &tree{key: key}
	case key < t.key:
		t.left = t.left.insert(key)
	default:
		t.right = t.right.insert(key)
	}
	return t
}

func (t *tree) sum() int {
	if t == nil {
		return 1
	}
	return t.left.sum()*3 + t.right.sum()*7 + t.key
}

// trees: allocation, write barriers, recursion.
func trees(r *random) int {
	var t *tree
	for n := r.next(400); n > 0; n-- {
		t = t.insert(r.next(1000))
	}
	return t.sum()
}

// deep: the stack grows, and moves while there are pointers into frames' cells.
func deep(r *random) int {
	depth := r.next(3000)
	var down func(n int, up *int) int
	down = func(n int, up *int) int {
		if n == 0 {
			return *up
		}
		here := [4]int{n, *up & 0xffff, n ^ 5, 1}
		got := down(n-1, &here[n&3])
		return got + here[0]*here[3] - here[2]
	}
	first := r.next(100)
	return down(depth, &first)
}

// tight: a loop without calls, which only preemption stops.
func tight(r *random) int {
	n, s := r.next(200000), 0
	for i := 0; i < n; i++ {
		s = s*31 + i%7 ^ i>>3
	}
	return s
}

func floats(r *random) int {
	var m [16]float64
	for i := range m {
		m[i] = float64(r.next(100)) / 8
	}
	s := 0.0
	for k := 0; k < 500; k++ {
		for i := range m {
			s += m[i] * m[(i*k)&15]
		}
	}
	return int(s)
}

func tables(r *random) int {
	m := map[int]string{}
	w := map[string]int{}
	for n := r.next(500); n > 0; n-- {
		k := r.next(200)
		m[k] += strconv.Itoa(n % 10)
		w[m[k]]++
		if n%5 == 0 {
			delete(m, r.next(200))
		}
	}
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Ints(keys)
	h := fnv.New32a()
	for _, k := range keys {
		h.Write([]byte(m[k]))
	}
	return int(h.Sum32()) + len(w)
}

type shape interface{ area() int }
type square struct{ side int }
type box struct{ w, h, weight int }

func (s square) area() int { return s.side * s.side }
func (b *box) area() int   { return b.w*b.h + b.weight }

func shapes(r *random) int {
	var all []shape
	for n := r.next(300); n > 0; n-- {
		if r.next(2) == 0 {
			all = append(all, square{r.next(50)})
		} else {
			all = append(all, &box{r.next(9), r.next(9), n})
		}
	}
	sort.SliceStable(all, func(i, k int) bool { return all[i].area() < all[k].area() })
	s := 0
	for i, x := range all {
		s = s*3 + x.area() + i
	}
	return s
}

var errSmall = errors.New("small")

func fail(n int) (got int, err error) {
	defer func() {
		if p := recover(); p != nil {
			got, err = n, fmt.Errorf("at %d: %w", n, errSmall)
		}
	}()
	var a [4]int
	for i := 0; ; i++ {
		a[i] = n
	}
}

// panics: from machine code to a deferred function, and on behind it.
func panics(r *random) int {
	s := 0
	for n := r.next(30); n > 0; n-- {
		got, err := fail(n)
		if errors.Is(err, errSmall) {
			s += got * len(err.Error())
		}
	}
	return s
}

// pipes: goroutines in a row, buffered or not.
func pipes(r *random) int {
	in := make(chan int, r.next(4))
	first := in
	for n := r.next(6); n >= 0; n-- {
		out := make(chan int, r.next(3))
		add := r.next(10)
		go func(in, out chan int) {
			for v := range in {
				out <- v + add
			}
			close(out)
		}(in, out)
		in = out
	}
	n := r.next(200)
	go func() {
		for i := 0; i < n; i++ {
			first <- i
		}
		close(first)
	}()
	s := 0
	for v := range in {
		s += v
	}
	return s
}

// shared: a lock, a condition, a counter.
func shared(r *random) int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var n atomic.Int64
	sum, per := 0, r.next(200)
	for k := 0; k < 4; k++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < per; i++ {
				n.Add(int64(i))
				mu.Lock()
				sum += i ^ k
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return sum + int(n.Load())
}

func texts(r *random) int {
	var b strings.Builder
	for n := r.next(200); n > 0; n-- {
		fmt.Fprintf(&b, "%d:%x,", n, r.next(1<<20))
	}
	s := 0
	for i, f := range strings.Split(b.String(), ",") {
		s += i * len(strings.ToUpper(f))
	}
	return s
}

var kinds = []func(*random) int{trees, deep, tight, floats, tables, shapes,
	panics, pipes, shared, texts}

func number(i int) int {
	n, err := strconv.Atoi(os.Args[i])
	if err != nil {
		panic(err)
	}
	return n
}

func main() {
	seed, workers, rounds := number(1), number(2), number(3)
	var done atomic.Bool
	go func() {
		r := random(seed + 77)
		for !done.Load() {
			switch r.next(4) {
			case 0:
				runtime.GC()
			case 1:
				runtime.GOMAXPROCS(1 + r.next(4))
			case 2:
				debug.SetGCPercent(10 + r.next(200))
			default:
				tight(&r)
			}
			runtime.Gosched()
		}
	}()
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for w := range sums {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := random(seed*1000 + w)
			for i := 0; i < rounds; i++ {
				sums[w] = sums[w]*5 + kinds[r.next(len(kinds))](&r)
			}
		}()
	}
	wg.Wait()
	done.Store(true)
	h := fnv.New64a()
	fmt.Fprint(h, sums)
	fmt.Printf("%x\n", h.Sum64())
}
