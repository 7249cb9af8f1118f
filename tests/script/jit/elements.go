// run

package main

import (
	"fmt"
	"runtime"
)

// Elements of two and of three words, that take the place of what they are
// loaded from, are loaded into its registers or memory, or of which nobody
// asks for a word.

type tree []tree

// The slice is its own element.
func walk(t tree, way []int) (n int) {
	for _, i := range way {
		if i >= len(t) {
			return -n
		}
		t = t[i]
		n += 10*len(t) + 1
	}
	return n
}

// Of the element only the array and the length are asked for, and the length
// of what it is in has a register as well.
func column(m [][]float64, j int) (s float64) {
	for k := 0; k < len(m); k++ {
		s = s*2 + m[k][j]
	}
	return s
}

func capacities(m [][]int) (n int) {
	for i := range m {
		row := m[i]
		n = n*7 + cap(row)
	}
	return n
}

type list []any

func follow(l list, n int) (depth int) {
	for ; n > 0; n-- {
		v := l[n%len(l)]
		next, ok := v.(list)
		if !ok {
			return depth*1000 + v.(int)
		}
		l = next
		depth++
	}
	return depth
}

func words(s []string, times int) (n int) {
	for t := 0; t < times; t++ {
		for i := 0; i < len(s); i++ {
			w := s[i]
			for j := 0; j < len(w); j++ {
				n = n*3 + int(w[j])&7
			}
			n &= 1<<40 - 1
		}
	}
	return n
}

func lengths(s []string) (n int) {
	for i := range s {
		w := s[i]
		n += len(w) * (i + 1)
	}
	return n
}

// More is live than there are registers.
func many(s []string, m [][]int, a, b, c, d, e, f int) int {
	for i := 0; i < len(s); i++ {
		w, r := s[i], m[i%len(m)]
		a += b ^ len(w)
		b += c ^ len(r)
		c += d ^ cap(r)
		d += e ^ int(w[0])
		e += f ^ r[0]
		f += a & 0xffff
	}
	return a ^ b ^ c ^ d ^ e ^ f
}

func past(s []string, m [][]int, i int) (r any) {
	defer func() { r = recover() }()
	if i&1 == 0 {
		return len(s[i])
	}
	return len(m[i])
}

// A loop without a call goes on being asked to stop.
func spin(stop *bool) int {
	n := 0
	for !*stop && n < 1<<26 {
		n++
	}
	return n
}

func main() {
	t := tree{{}, {{}, {}, {{}, {}}}, nil}
	m := [][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	ints := [][]int{make([]int, 1, 3), make([]int, 2, 5), make([]int, 3, 9)}
	s := []string{"one", "two", "three", "fourteen", "x"}
	l := list{1, list{2, list{3, 4, 5}, 6}, list{7, 8}}
	for range 3000 {
		walk(t, []int{1, 2, 1})
		column(m, 1)
		capacities(ints)
		follow(l, 5)
		lengths(s)
		many(s, ints, 1, 2, 3, 4, 5, 6)
		past(s, ints, 1)
	}
	fmt.Println(walk(t, []int{1, 2, 1}), walk(t, []int{0, 3}), walk(t, []int{1, 1, 0}))
	fmt.Println(column(m, 0), column(m, 1), column(m, 2))
	fmt.Println(capacities(ints), words(s, 1000), lengths(s))
	for i := range 9 {
		fmt.Print(follow(l, i), " ")
	}
	fmt.Println(many(s, ints, 1, 2, 3, 4, 5, 6))
	for _, i := range []int{0, 1, 2, 3, 4, 5, 6, -1, -2, 1 << 40, 1<<61 + 1} {
		fmt.Println(i, past(s, ints, i))
	}
	stop := false
	done := make(chan bool)
	go func() {
		runtime.Gosched()
		for range 3 {
			runtime.GC()
		}
		done <- true
	}()
	spin(&stop)
	fmt.Println(<-done)
}
