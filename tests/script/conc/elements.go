// run
// concurrent
// SPDX-License-Identifier: MIT

// Channels of values of all sizes: what is sent arrives, by way of a buffer
// and from hand to hand, whoever comes first, with select and without.

package main

import (
	"fmt"
	"runtime"
	"weak"
)

type one struct{ a int }
type two struct{ a, b int }
type three struct {
	s string
	p *int
}
type four [4]int
type five [5]int
type odd struct {
	s string
	b byte
}

// try sends n values and receives them again.
func try[T comparable](name string, size int, value func(i int) T) {
	const n = 500
	c, done := make(chan T, size), make(chan bool)
	go func() {
		for i := 0; i < n; i++ {
			if i%5 == 0 {
				select {
				case c <- value(i):
				case <-done:
				}
				continue
			}
			c <- value(i)
			if i%7 == 0 {
				runtime.Gosched()
			}
		}
		close(c)
	}()
	wrong, got := 0, 0
	for {
		var v T
		ok := true
		switch {
		case got%11 == 3:
			select {
			case v, ok = <-c:
			case <-done:
			}
		case got%13 == 4:
			<-c // the value is not looked at
			v = value(got)
		default:
			v, ok = <-c
		}
		if !ok {
			break
		}
		if v != value(got) {
			wrong++
		}
		got++
		if got%9 == 0 {
			runtime.Gosched()
		}
	}
	var zero T
	v, ok := <-c
	fmt.Println(name, size, got, wrong, v == zero, ok, len(c), cap(c))
}

// keeps tells what a buffer still holds on to once it is empty.
func keeps() {
	c := make(chan *five, 3)
	var left []weak.Pointer[five]
	for i := 0; i < 8; i++ {
		p := &five{i}
		left = append(left, weak.Make(p))
		c <- p
		<-c
	}
	runtime.GC()
	n := 0
	for _, w := range left {
		if w.Value() != nil {
			n++
		}
	}
	fmt.Println("kept", n <= 1)
	runtime.KeepAlive(c)
}

func main() {
	numbers := make([]int, 500)
	text := func(i int) string { return fmt.Sprint("text ", i) }
	for _, size := range []int{0, 1, 3, 64} {
		try("nothing", size, func(i int) struct{} { return struct{}{} })
		try("byte", size, func(i int) byte { return byte(i) })
		try("int16", size, func(i int) int16 { return int16(-i) })
		try("float32", size, func(i int) float32 { return float32(i) / 2 })
		try("bytes", size, func(i int) [3]byte { return [3]byte{byte(i), 1} })
		try("int", size, func(i int) int { return i * i })
		try("pointer", size, func(i int) *int { return &numbers[i%len(numbers)] })
		try("one", size, func(i int) one { return one{i} })
		try("two", size, func(i int) two { return two{i, -i} })
		try("string", size, text)
		try("any", size, func(i int) any { return i })
		try("three", size, func(i int) three {
			return three{text(i), &numbers[i%len(numbers)]}
		})
		try("odd", size, func(i int) odd { return odd{text(i), byte(i)} })
		try("four", size, func(i int) four { return four{i, 1, 2, i} })
		try("five", size, func(i int) five { return five{i, 1, 2, 3, i} })
	}
	keeps()
}
