// run
// concurrent
// SPDX-License-Identifier: MIT

// Select: default, send and receive cases, nil channels, evaluation order.
package main

import "fmt"

var trace []string

func ch(s string, c chan int) chan int { trace = append(trace, s); return c }
func val(s string, v int) int          { trace = append(trace, s); return v }

type box struct{ v [3]int }

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	select {
	case v := <-a:
		fmt.Println("wrong", v)
	default:
		fmt.Println("default")
	}
	select {
	case a <- 5:
		fmt.Println("sent")
	default:
		fmt.Println("wrong")
	}
	select {
	case a <- 6:
		fmt.Println("wrong")
	case v, ok := <-a:
		fmt.Println("received", v, ok)
	}
	close(b)
	select {
	case v, ok := <-b:
		fmt.Println("closed", v, ok)
	}
	var nilc chan int
	select {
	case <-nilc:
		fmt.Println("wrong")
	case nilc <- 1:
		fmt.Println("wrong")
	default:
		fmt.Println("nil channels never ready")
	}
	a <- 1
	select {
	case ch("a", nilc) <- val("va", 1):
	case v := <-ch("b", a):
		fmt.Println("got", v)
	case ch("c", nilc) <- val("vc", 2):
	}
	fmt.Println(trace)

	arr := [3]int{}
	i := 0
	a <- 7
	select {
	case arr[func() int { i++; return i }()] = <-a:
	}
	m := map[string]int{}
	a <- 8
	var ok bool
	select {
	case m["k"], ok = <-a:
	}
	fmt.Println(arr, m, ok, i)

	// All ready cases are chosen now and then.
	counts := [3]int{}
	x, y, z := make(chan int, 1), make(chan int, 1), make(chan int, 1)
	for n := 0; n < 600; n++ {
		x <- 1
		y <- 1
		select {
		case <-x:
			counts[0]++
			<-y
		case <-y:
			counts[1]++
			<-x
		case z <- 1:
			counts[2]++
			<-x
			<-y
			<-z
		}
	}
	fmt.Println(counts[0] > 100, counts[1] > 100, counts[2] > 100, counts[0]+counts[1]+counts[2])

	func() {
		defer func() { fmt.Println(recover()) }()
		select {
		case b <- 1:
		}
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		select {
		case b <- 1:
		default:
		}
	}()
	bc := make(chan box)
	done := make(chan bool)
	go func() {
		bx := <-bc
		fmt.Println(bx.v)
		close(done)
	}()
	select {
	case bc <- box{[3]int{1, 2, 3}}:
	}
	<-done
	var recv <-chan int = x
	var send chan<- int = x
	select {
	case send <- 9:
	case <-recv:
	}
	select {
	case v := <-recv:
		fmt.Println(v, len(x))
	}
	n := 0
loop:
	for {
		select {
		case x <- n:
			n++
		case v := <-x:
			if v == 5 {
				break loop
			}
		}
	}
	fmt.Println(n)
}
