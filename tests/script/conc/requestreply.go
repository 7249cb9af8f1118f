// run
// concurrent
// SPDX-License-Identifier: MIT

// A server goroutine that owns state, with requests, replies and timeouts.
package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

type op int

const (
	get op = iota
	put
	del
	size
)

type request struct {
	op    op
	key   string
	val   int
	reply chan response
}
type response struct {
	val int
	ok  bool
}
type store struct {
	reqs chan request
	quit chan struct{}
	done sync.WaitGroup
}

func newStore() *store {
	s := &store{reqs: make(chan request), quit: make(chan struct{})}
	s.done.Add(1)
	go s.loop()
	return s
}

func (s *store) loop() {
	defer s.done.Done()
	m := map[string]int{}
	for {
		select {
		case r := <-s.reqs:
			switch r.op {
			case get:
				v, ok := m[r.key]
				r.reply <- response{v, ok}
			case put:
				old, ok := m[r.key]
				m[r.key] = r.val
				r.reply <- response{old, ok}
			case del:
				delete(m, r.key)
				r.reply <- response{}
			case size:
				r.reply <- response{len(m), true}
			}
		case <-s.quit:
			return
		}
	}
}

var errClosed = errors.New("store closed")

func (s *store) do(o op, key string, val int) (response, error) {
	r := request{o, key, val, make(chan response, 1)}
	select {
	case s.reqs <- r:
		return <-r.reply, nil
	case <-s.quit:
		return response{}, errClosed
	}
}

func (s *store) close() { close(s.quit); s.done.Wait() }

type future struct {
	done chan struct{}
	val  int
	err  error
}

func async(f func() (int, error)) *future {
	fu := &future{done: make(chan struct{})}
	go func() {
		defer close(fu.done)
		defer func() {
			if r := recover(); r != nil {
				fu.err = fmt.Errorf("async: %v", r)
			}
		}()
		fu.val, fu.err = f()
	}()
	return fu
}

func (f *future) wait(d time.Duration) (int, error) {
	select {
	case <-f.done:
		return f.val, f.err
	case <-time.After(d):
		return 0, errors.New("timeout")
	}
}

func main() {
	s := newStore()
	var wg sync.WaitGroup
	for c := 0; c < 8; c++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 50; i++ {
				k := fmt.Sprint("k", c, "-", i%10)
				s.do(put, k, i)
				if r, _ := s.do(get, k, 0); r.val != i || !r.ok {
					panic("lost update")
				}
				if i%10 == 9 && c%2 == 0 {
					s.do(del, k, 0)
				}
			}
		}()
	}
	wg.Wait()
	r, err := s.do(size, "", 0)
	fmt.Println(r, err)
	s.close()
	_, err = s.do(get, "k", 0)
	fmt.Println(err, err == errClosed)

	fs := []*future{
		async(func() (int, error) { return 42, nil }),
		async(func() (int, error) { return 0, errors.New("failed") }),
		async(func() (int, error) { var p *int; return *p, nil }),
	}
	block := make(chan bool)
	never := async(func() (int, error) { <-block; return 1, nil })
	for _, f := range fs {
		fmt.Println(f.wait(time.Minute))
	}
	fmt.Println(never.wait(time.Millisecond))
	close(block)
	fmt.Println(never.wait(time.Minute))
}
