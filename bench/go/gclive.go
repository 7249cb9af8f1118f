package main

import "fmt"

type node struct {
	next *node
	v    int
}

// Small objects, of which a window stays alive.
func main() {
	const window = 1 << 18
	live := make([]*node, window)
	sum := 0
	for i := 0; i < 6000000; i++ {
		at := i & (window - 1)
		if live[at] != nil {
			sum += live[at].v
		}
		live[at] = &node{live[(at+1)&(window-1)], i}
		if i%7 == 0 {
			live[at].next = nil
		}
		if n := live[at].next; n != nil {
			n.next = nil
		}
	}
	fmt.Println(sum)
}
