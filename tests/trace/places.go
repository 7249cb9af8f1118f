// SPDX-License-Identifier: MIT

// Sends and receives, at many places that are alike, while it writes a trace to
// each of the files that are its arguments, and says for each trace and stack how
// often it has: a line "FILE N FUNC:LINE FUNC:LINE ...", innermost first.  Each
// operation blocks or wakes somebody.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"strconv"
	"strings"
)

// places has what one goroutine did.
type places map[string]int

// note is called on the line above an operation.
func (p places) note() {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var s []string
	for next := 1; ; next = 0 {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			s = append(s, f.Function+":"+strconv.Itoa(f.Line+next))
		}
		if !more {
			break
		}
	}
	p[strings.Join(s, " ")]++
}

type link struct {
	p places
	c chan int
}

type hopper interface{ hop() }

func (l link) recv() {
	l.p.note()
	<-l.c
}
func (l link) send() {
	l.p.note()
	l.c <- 1
}

// Called through a wrapper, for the interface has a pointer.
func (l link) hop() {
	l.p.note()
	l.c <- 2
}

func (l link) deep(n int) {
	if n > 0 {
		l.deep(n - 1)
		return
	}
	l.recv()
}

// Frames of two functions in turn: the leaf and its caller say nothing about
// who is further out.
func (l link) even(n int) {
	if n > 0 {
		l.odd(n - 1)
		return
	}
	l.recv()
}

func (l link) odd(n int) {
	if n > 0 {
		l.even(n - 1)
		return
	}
	l.recv()
}

func (l link) first()  { l.middle() }
func (l link) second() { l.middle() }
func (l link) middle() { l.recv() }

func (l link) late() {
	defer l.recv()
	defer func() {
		l.p.note()
		<-l.c
	}()
}

func (l link) recovers() {
	defer func() {
		l.p.note()
		<-l.c
		recover()
	}()
	panic(1)
}

// One receive; every twelfth time two.
func (l link) receives(i int) {
	switch i % 12 {
	case 0:
		l.recv()
	case 1:
		l.recv()
	case 2:
		l.p.note()
		<-l.c
	case 3:
		l.deep(i / 12 % 26)
	case 4:
		l.even(i / 12 % 13)
	case 5:
		l.odd(i / 12 % 13)
	case 6:
		l.first()
	case 7:
		l.second()
	case 8:
		if i%24 == 8 {
			l.late()
		} else {
			l.late()
		}
	case 9:
		if i%24 == 9 {
			l.recovers()
		} else {
			l.recovers()
		}
	case 10:
		f := l.recv
		f()
	default:
		func() { l.recv() }()
	}
}

func pair(first, n int) (all []places) {
	c, done := make(chan int), make(chan bool)
	from, to := link{places{}, c}, link{places{}, c}
	go func() {
		for i := first; i < first+n; i++ {
			to.receives(i)
		}
		done <- true
	}()
	var h hopper = &from
	for i := 0; i < n+n/12; i++ {
		if i%3 == 0 {
			h.hop()
		} else {
			from.send()
		}
	}
	<-done
	return []places{from.p, to.p}
}

// traced runs pairs of goroutines, the receivers of which begin at first.
func traced(path string, first int) {
	f, err := os.Create(path)
	if err == nil {
		err = trace.Start(f)
	}
	if err != nil {
		panic(err)
	}
	all := make(chan []places)
	for range 3 {
		go func() { all <- pair(first, 2400) }()
	}
	sum := places{}
	for range 3 {
		for _, p := range <-all {
			for s, n := range p {
				sum[s] += n
			}
		}
	}
	trace.Stop()
	f.Close()
	for s, n := range sum {
		fmt.Println(path, n, s)
	}
}

func main() {
	for i, path := range os.Args[1:] {
		traced(path, 7*i)
	}
}
