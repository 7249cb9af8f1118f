// run
// SPDX-License-Identifier: MIT

// A range over a map that is changed meanwhile, at random: what stays is met
// once, what has gone is not met, and nothing twice that was there throughout.
package main

import "math/rand"

type state struct {
	m     map[int]int
	first map[int]bool // there when the range began, and ever since
	seen  map[int]int  // how often met since it was last put in
	next  int
}

func (s *state) put(k int) {
	if _, ok := s.m[k]; !ok {
		s.seen[k] = 0
	}
	s.m[k] = k
}

func (s *state) remove(k int) {
	delete(s.m, k)
	delete(s.first, k)
}

func (s *state) change(r *rand.Rand, n int) {
	switch what := r.Intn(1000); {
	case what < 150:
		s.put(s.next)
		s.next++
	case what < 300:
		s.remove(r.Intn(n))
	case what < 400:
		k := r.Intn(n)
		s.remove(k)
		s.put(k)
	case what < 410:
		for range n {
			s.put(s.next)
			s.next++
		}
	case what == 410:
		clear(s.m)
		clear(s.first)
	}
}

// Faults of one range over n keys.
func walk(r *rand.Rand, n int) (faults int) {
	s := &state{map[int]int{}, map[int]bool{}, map[int]int{}, n}
	for k := range n {
		s.m[k] = k
		s.first[k] = true
	}
	for k, v := range s.m {
		if _, ok := s.m[k]; !ok || v != k {
			faults++
		}
		if s.seen[k]++; s.seen[k] > 1 {
			faults++
		}
		s.change(r, n)
	}
	for k := range s.first {
		if s.seen[k] != 1 {
			faults++
		}
	}
	return faults
}

func main() {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{1, 5, 8, 9, 60, 300, 1000, 3000} {
		faults := 0
		for range 1 + 6000/n {
			faults += walk(r, n)
		}
		println(n, faults)
	}
}
