package main

import (
	"os"
	"runtime"
	"sync"
	"time"
)

type node struct {
	next *node
	pad  [7]int
}

var list *node
var mu sync.Mutex

func keep(n int) {
	for i := 0; i < n; i++ {
		list = &node{next: list}
	}
}

func drop(n int) {
	for i := 0; i < n; i++ {
		_ = sinkNode(&node{})
	}
}

var last *node

func sinkNode(n *node) *node { last = n; return n }

func hold() {
	done := make(chan bool)
	mu.Lock()
	go func() { wait(); done <- true }()
	time.Sleep(100 * time.Millisecond)
	mu.Unlock()
	<-done
}

func wait() { mu.Lock(); mu.Unlock() }

func parked() { select {} }

func spin() {
	for {
	}
}

func main() {
	keep(1000)
	drop(500)
	for i := 0; i < 7; i++ {
		go parked()
	}
	hold()
	runtime.GC()
	switch os.Args[1] {
	case "exit":
		go spin()
		os.Exit(3)
	case "panic":
		go spin()
		panic("the end")
	case "fatal":
		mu.Unlock()
	case "deadlock":
		<-make(chan int)
	case "quit":
		go spin()
		println("ready")
		time.Sleep(time.Hour)
	}
}
