// run
// SPDX-License-Identifier: MIT

// One function with more loops over functions than fit one screen, and all
// their variables: each begins before there is machine code for it, which goes
// on behind the loop, or in the next round.
package main

import "fmt"

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func filter(s func(func(int) bool), f func(int) bool) func(func(int) bool) {
	return func(yield func(int) bool) {
		for v := range s {
			if f(v) && !yield(v) {
				return
			}
		}
	}
}

type node struct {
	next *node
	v    int
}

//go:noinline
func (n *node) self() *node { return n }

func main() {
	const n = 20000
	for which := range 21 {
		s := which
		for range 3 {
			switch which {
			case 0:
				for v := range count(n) {
					s += v * 4
				}
			case 1:
				for v := range filter(count(n), func(i int) bool { return i%5 != 1 }) {
					s ^= v
				}
			case 2:
				t, last := 0, -1
				for v := range count(n) {
					if v%6 == 3 {
						continue
					}
					if v > n-6 {
						break
					}
					t += v
					last = v
				}
				s += t*7 + last
			case 3:
				p := &node{v: 7}
				for v := range count(n) {
					q := p.self()
					p.v += v
					q.v ^= 5
					s += p.v
				}
			case 4:
				var l [3]int
				add := func(k int) { l[k%3] += k * 8 }
				for v := range count(n) {
					add(v)
					s += l[0] - l[1] + l[2]
				}
			case 5:
				for v := range count(n) {
					s += v * 9
				}
			case 6:
				for v := range filter(count(n), func(i int) bool { return i%10 != 1 }) {
					s ^= v
				}
			case 7:
				t, last := 0, -1
				for v := range count(n) {
					if v%11 == 3 {
						continue
					}
					if v > n-11 {
						break
					}
					t += v
					last = v
				}
				s += t*7 + last
			case 8:
				p := &node{v: 12}
				for v := range count(n) {
					q := p.self()
					p.v += v
					q.v ^= 5
					s += p.v
				}
			case 9:
				var l [3]int
				add := func(k int) { l[k%3] += k * 13 }
				for v := range count(n) {
					add(v)
					s += l[0] - l[1] + l[2]
				}
			case 10:
				for v := range count(n) {
					s += v * 14
				}
			case 11:
				for v := range filter(count(n), func(i int) bool { return i%15 != 1 }) {
					s ^= v
				}
			case 12:
				t, last := 0, -1
				for v := range count(n) {
					if v%16 == 3 {
						continue
					}
					if v > n-16 {
						break
					}
					t += v
					last = v
				}
				s += t*7 + last
			case 13:
				p := &node{v: 17}
				for v := range count(n) {
					q := p.self()
					p.v += v
					q.v ^= 5
					s += p.v
				}
			case 14:
				var l [3]int
				add := func(k int) { l[k%3] += k * 18 }
				for v := range count(n) {
					add(v)
					s += l[0] - l[1] + l[2]
				}
			case 15:
				for v := range count(n) {
					s += v * 19
				}
			case 16:
				for v := range filter(count(n), func(i int) bool { return i%20 != 1 }) {
					s ^= v
				}
			case 17:
				t, last := 0, -1
				for v := range count(n) {
					if v%21 == 3 {
						continue
					}
					if v > n-21 {
						break
					}
					t += v
					last = v
				}
				s += t*7 + last
			case 18:
				p := &node{v: 22}
				for v := range count(n) {
					q := p.self()
					p.v += v
					q.v ^= 5
					s += p.v
				}
			case 19:
				var l [3]int
				add := func(k int) { l[k%3] += k * 23 }
				for v := range count(n) {
					add(v)
					s += l[0] - l[1] + l[2]
				}
			default:
				for a := range count(30) {
					for b := range count(a) {
						for c := range count(b) {
							if c > 20 {
								break
							}
							s += a ^ b ^ c
						}
					}
				}
			}
		}
		fmt.Println(which, s)
	}
}
