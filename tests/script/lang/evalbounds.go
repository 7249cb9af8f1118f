// run
// SPDX-License-Identifier: MIT

// The bounds of a slice are kept before the calls of those behind them, unless
// they are names; what is sliced is read after all of them.
package main

import "fmt"

type lexer struct {
	text string
	at   int
	more []int
}

func (l *lexer) scan(n int) int {
	l.at += n
	return l.at
}

func (l *lexer) shift() int {
	l.text = "-" + l.text
	l.more = append([]int{-1}, l.more...)
	return 4
}

func pair(a, b any) { fmt.Println(a, b) }

var at int

func step() int { at += 2; return at }

func main() {
	l := &lexer{text: ".name.more", at: 1, more: []int{1, 2, 3, 4, 5, 6, 7, 8}}
	fmt.Println(l.text[l.at-1 : l.scan(4)])
	fmt.Println(l.text[l.at:l.scan(3)])
	l.at = 0
	fmt.Println(l.more[l.at:l.scan(2)], l.at)
	fmt.Println(l.more[l.at:l.scan(1):l.scan(2)], cap(l.more[l.at-5:l.scan(1)]))
	l.at = 1
	token := l.text[(l.at):l.shift()]
	fmt.Println(token, l.text)
	l.at = 1
	fmt.Println(l.more[l.at:l.shift()], l.more)

	at = 0
	fmt.Println(l.text[at:step()], at)
	fmt.Println(l.text[at-1:step()], at)
	i := 0
	inc := func() int { i++; return i + 2 }
	fmt.Println(l.text[i:inc()], i)
	fmt.Println(l.text[i+0:inc()], i)
	p := &i
	fmt.Println(l.text[*p:inc()], i)
	fmt.Println(l.text[uint8(i):inc()], i)
	arr := [...]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	a := &arr
	set := func() int { a = &[10]int{9, 8, 7, 6, 5, 4, 3, 2, 1}; i++; return 9 }
	fmt.Println(a[i:set()], a[*p:set()])
	pair(l.text[*p:inc()], l.more[l.at:l.scan(3)])
	x := [][]int{{1, 2, 3}, {4, 5, 6}}
	drop := func() int { x[0], x[1] = x[1], x[0]; return 2 }
	fmt.Println(x[0][len(x[1])-3:drop()], x[0][len(x[0])-2:drop()])
	l.more = l.more[l.at-3 : l.scan(2)]
	fmt.Println(l.more, l.at)
	l.more = append(l.more[:l.at-6], l.more[l.at-5:l.scan(0)-2]...)
	fmt.Println(l.more)
	n := map[string]int{"a": 1}
	put := func() int { n["a"]++; return 5 }
	fmt.Println(l.text[n["a"]:put()], l.text[n["a"]:put()])
	var e any = 2
	as := func() int { e = 3; return 6 }
	fmt.Println(l.text[e.(int):as()], e)
}
