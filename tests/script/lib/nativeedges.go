// run
// SPDX-License-Identifier: MIT

// Arguments of natives at the ends of their ranges.
package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"runtime"
	"strings"
)

func try(name string, f func() any) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(name, "panic", e)
		}
	}()
	fmt.Println(name, f())
}

type wide struct {
	a [9]*int
	s string
	b [4]int8
	p *wide
}

func main() {
	for _, e := range []int{1 << 33, -1 << 33, 1<<32 + 1, 1<<63 - 1, -1 << 63, 2000, -2000, 1022, 1023, 1024, -1022, -1074, -1075, -1076} {
		fmt.Println(e, math.Ldexp(1, e), math.Ldexp(-0.75, e))
	}
	for _, n := range []int{1<<62 + 1, 1 << 62, 1<<63 - 1, -1, -1 << 63} {
		try("strings.Repeat", func() any { return len(strings.Repeat("abcd", n)) })
		try("bytes.Repeat", func() any { return len(bytes.Repeat([]byte("abcd"), n)) })
	}
	ctx := context.Background()
	for _, key := range []any{nil, 1, "k", []int{1}, map[int]int{}, struct{ f func() }{}, [1]int{}} {
		try(fmt.Sprintf("WithValue %T", key), func() any { return context.WithValue(ctx, key, 1).Value(key) })
	}

	// Other seeds give other numbers, the same ones the same.
	seen := map[int64]bool{}
	for seed := int64(0); seed < 100; seed++ {
		r, again := rand.New(rand.NewSource(seed)), rand.New(rand.NewSource(seed))
		for i := 0; i < 10; i++ {
			x := r.Int63()
			if seen[x] || x != again.Int63() {
				fmt.Println("seed", seed, "number", i)
			}
			seen[x] = true
		}
	}
	fmt.Println(len(seen))

	// Elements that are exchanged while the collector runs lose nothing.
	list := make([]wide, 200)
	for i := range list {
		for k := range list[i].a {
			n := i*100 + k
			list[i].a[k] = &n
		}
		list[i].s = fmt.Sprint("element ", i)
		list[i].p = &wide{s: list[i].s}
	}
	done := make(chan bool)
	go func() {
		for i := 0; i < 5; i++ {
			runtime.GC()
		}
		done <- true
	}()
	swap := reflect.Swapper(list)
	for round, running := 0, true; running; round++ {
		for i := range list {
			swap(i, (i*7+round)%len(list))
		}
		select {
		case <-done:
			running = false
		default:
			runtime.Gosched()
		}
	}
	sum := 0
	for i := range list {
		base := *list[i].a[0]
		for k, p := range list[i].a {
			if *p != base+k || list[i].s != fmt.Sprint("element ", base/100) || list[i].p.s != list[i].s {
				fmt.Println("element", i, "is torn")
			}
			sum += *p
		}
	}
	fmt.Println(sum)
}
