// run
// concurrent: 20

// What a goroutine received last is garbage while it waits for the next value,
// whatever it receives with.
package main

import (
	"fmt"
	"runtime"
)

type object struct{ a [100]int }

func bySelect(c chan *object, done chan bool) {
	for {
		select {
		case x := <-c:
			x.a[0]++
			done <- true
		}
	}
}

func bySelectOfTwo(c chan *object, done chan bool) {
	var never chan bool = make(chan bool)
	for {
		select {
		case <-never:
		case x := <-c:
			x.a[0]++
			done <- true
		}
	}
}

// It sends and receives with one variable.
func bySelectAndSend(c chan *object, done chan bool) {
	never := make(chan *object)
	var x *object
	for {
		select {
		case never <- x:
		case x = <-c:
			x.a[0]++
			done <- true
			x = nil
		}
	}
}

func byReceive(c chan *object, done chan bool) {
	for {
		x, ok := <-c
		if !ok {
			return
		}
		x.a[0]++
		done <- true
	}
}

func byRange(c chan *object, done chan bool) {
	for x := range c {
		x.a[0]++
		done <- true
	}
}

// Its only channel is its own: nobody wakes it.
func alone() { <-make(chan int) }

func try(f func(chan *object, chan bool)) bool {
	c, done := make(chan *object), make(chan bool)
	gone := make(chan bool, 1)
	go f(c, done)
	func() {
		x := new(object)
		runtime.AddCleanup(x, func(ch chan bool) { ch <- true }, gone)
		c <- x
	}()
	<-done
	for len(gone) == 0 {
		runtime.GC()
		runtime.Gosched()
	}
	return <-gone
}

func main() {
	for i := 0; i < 10; i++ {
		go alone()
	}
	fmt.Println(try(bySelect), try(bySelectOfTwo), try(bySelectAndSend), try(byReceive), try(byRange))
}
