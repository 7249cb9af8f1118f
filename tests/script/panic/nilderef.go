// panic
// SPDX-License-Identifier: MIT

package main

type node struct {
	next *node
	val  int
}

func last(n *node) int {
	for {
		if n.next.val == 3 {
			return n.val
		}
		n = n.next
	}
}

func main() {
	last(&node{&node{nil, 1}, 2})
}
