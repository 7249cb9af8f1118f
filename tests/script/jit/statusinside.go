// run
// SPDX-License-Identifier: MIT

// Functions of C that panic, or wait, in functions that are spliced in: machine
// code is left with the frame and the place of these, and the deferred call finds
// the variables of the function around.
package main

import "fmt"

type box struct{ a, b, c int }

func array(s []int) int            { return len([4]int(s)) + s[0] }
func put(m map[int]int, k int) int { m[k] = k; return len(m) }
func room(n int) int               { return cap(make([]box, n)) }
func end(c chan int) int           { close(c); return cap(c) }
func send(c chan int, v int) int   { c <- v; return len(c) }
func text(x any) int               { return len(x.(fmt.Stringer).String()) }

func try(what int, s []int, m map[int]int, c chan int, n int) (r int) {
	a, b := n+1, n+2
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(what, e, a, b, r)
			r = -a - b
		}
	}()
	switch what {
	case 0:
		r = array(s) + a
	case 1:
		r = put(m, n) + b
	case 2:
		r = room(n-5) + a
	case 3:
		r = end(c) + b
	case 4:
		r = send(c, n) + a
	case 5:
		r = text(n) + b
	}
	return r
}

func two(what int, s []int, n int) (r int) {
	x, y := n*3, n*5
	if what == 0 {
		r = array(s) + x + y
	} else {
		r = room(n) + x + y
	}
	return r
}

func catch(what int, s []int, n int) (r int) {
	defer func() { fmt.Println(recover() != nil, r) }()
	return two(what, s, n) + n
}

func recv(c chan int) int { return <-c }

func sum(c chan int, n int) int {
	s, k := 0, 1
	for i := 0; i < n; i++ {
		s += recv(c) * k
		k++
	}
	return s
}

func main() {
	c := make(chan int, 1)
	for i := 0; i < 3; i++ {
		for w := 0; w < 6; w++ {
			d := make(chan int, 1)
			if i == 1 {
				close(d)
			}
			var m map[int]int
			if i == 2 {
				m = map[int]int{}
			}
			fmt.Println(try(w, make([]int, 2+i), m, d, i+3))
		}
		catch(0, []int{1, 2}, i)
		catch(1, nil, -1-i)
	}
	go func() {
		for i := 0; i < 20; i++ {
			c <- i
		}
	}()
	fmt.Println(sum(c, 20))
}
