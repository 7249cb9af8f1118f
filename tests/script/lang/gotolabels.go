// run
// SPDX-License-Identifier: MIT

// Labels and goto, alone and around every kind of statement.
package main

import "fmt"

func state(input string) (words, digits int) {
	i := 0
start:
	if i >= len(input) {
		goto done
	}
	switch c := input[i]; {
	case c >= '0' && c <= '9':
		goto number
	case c == ' ':
		i++
		goto start
	}
	words++
word:
	i++
	if i < len(input) && input[i] != ' ' {
		goto word
	}
	goto start
number:
	digits++
	i++
	goto start
done:
	return
}

func search(m [][]int, want int) (int, int) {
	var i, j int
rows:
	for i = range m {
		for j = range m[i] {
			if m[i][j] < 0 {
				continue rows
			}
			if m[i][j] == want {
				break rows
			}
		}
	}
	return i, j
}

func selectBreak() int {
	c := make(chan int, 10)
	for i := range 10 {
		c <- i
	}
	n := 0
L:
	for {
		select {
		case v := <-c:
			if v == 3 {
				continue L
			}
			if v == 6 {
				break L
			}
			if v == 1 {
				break
			}
			n += v
		}
	}
	return n
}

func nested() (out []int) {
A:
	for i := 0; ; i++ {
	B:
		for j := 0; ; j++ {
			switch {
			case j > 3:
				continue A
			case i > 3:
				break A
			case (i+j)%2 == 0:
				continue B
			}
			out = append(out, i*10+j)
		}
	}
	return
}

func blockLabel() string {
	s := ""
block:
	{
		s += "in "
		if len(s) < 9 {
			goto block
		}
	}
	return s
}

func main() {
	fmt.Println(state("ab 12 cd  7 efg"))
	fmt.Println(search([][]int{{1, 2}, {-1, 9}, {4, 5, 6}}, 5))
	fmt.Println(selectBreak())
	fmt.Println(nested())
	fmt.Println(blockLabel())
	n := 0
unused:
	n++
	if n < 5 {
		goto unused
	}
	fmt.Println(n)
	for i := 0; i < 2; i++ {
		goto next
	next:
		fmt.Println("iteration", i)
	}
sw:
	switch n {
	case 5:
		if n == 5 {
			break sw
		}
		fmt.Println("not reached")
	default:
	}
if1:
	if n > 0 {
		n--
		if n > 2 {
			goto if1
		}
	}
	fmt.Println(n)
}
