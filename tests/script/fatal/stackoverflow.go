// fatal
// timeout: 60
// SPDX-License-Identifier: MIT

package main

type list struct{ next *list }

func (l *list) length(n int) int { return 1 + l.next.length(n+1) }

func main() {
	l := &list{}
	l.next = l
	println(l.length(0))
}
