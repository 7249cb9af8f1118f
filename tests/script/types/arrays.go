// run
// SPDX-License-Identifier: MIT

// Arrays are values: copies, comparison, nesting, literals with indices.
package main

import "fmt"

const N = 4

type Grid [3][N]int
type Key [2]string

func change(a [3]int) [3]int { a[0] = 99; return a }
func changeP(a *[3]int)      { a[0] = 77 }
func transpose(g Grid) (t [N][3]int) {
	for i, row := range g {
		for j, v := range row {
			t[j][i] = v
		}
	}
	return
}

func main() {
	a := [3]int{1, 2, 3}
	b := a
	b[1] = 20
	fmt.Println(a, b, a == b, a == [3]int{1, 2, 3}, len(a))
	fmt.Println(change(a), a)
	changeP(&a)
	fmt.Println(a)
	lit := [...]string{2: "two", 5: "five", "six", 0: "zero"}
	fmt.Printf("%d %q\n", len(lit), lit)
	var g Grid
	for i := range g {
		for j := range g[i] {
			g[i][j] = i*10 + j
		}
	}
	h := g
	h[1][2] = -1
	fmt.Println(g, h[1], g == h)
	fmt.Println(transpose(g))
	row := g[2]
	row[0] = 1000
	pr := &g[2]
	pr[1] = 2000
	fmt.Println(g[2], row)
	m := map[Key]int{{"a", "b"}: 1}
	m[Key{"a", "b"}]++
	m[Key{"c"}] = 5
	fmt.Println(m[Key{"a", "b"}], m[Key{"c", ""}], len(m))
	s := a[:]
	s[2] = 55
	s2 := a[1:2]
	s2 = append(s2, 66)
	fmt.Println(a, s, s2, cap(s2))
	i := 1
	a[i], a[i+1] = a[i+1], a[i]
	i = 2
	fmt.Println(a, a[i])
	bools := [8]bool{1: true, 3: true}
	n := 0
	for _, x := range bools {
		if x {
			n++
		}
	}
	fmt.Println(n, bools)
	var zero [0]int
	fmt.Println(len(zero), zero, zero == [0]int{})
	fs := [2]func(int) int{func(x int) int { return x + 1 }, func(x int) int { return x * 2 }}
	fmt.Println(fs[0](fs[1](5)))
	type cell struct {
		v [2]int8
		s string
	}
	cells := [2]cell{{v: [2]int8{1, 2}, s: "x"}, {s: "y"}}
	c2 := cells
	cells[0].v[1]--
	fmt.Println(cells, c2, cells == c2, cells[1] == c2[1])
	arrp := [2]*int{&a[0], &a[1]}
	*arrp[0] = -5
	fmt.Println(a, *arrp[1])
	var e interface{} = a
	a[0] = 0
	fmt.Println(e, e == interface{}(a), e.([3]int)[1])
	big := [1000]int{}
	for i := range big {
		big[i] = i
	}
	big2 := big
	big[999] = 0
	sum := 0
	for _, v := range big2 {
		sum += v
	}
	fmt.Println(sum, big == big2, len(big))
	fmt.Println([2][2]int{{1, 2}, {3, 4}} == [2][2]int{{1, 2}, {3, 4}}, [...]float64{1, 2.5})
	ch := make(chan [2]int, 1)
	ar := [2]int{1, 2}
	ch <- ar
	ar[0] = 9
	fmt.Println(<-ch, ar)
	func() {
		defer func() { fmt.Println(recover()) }()
		fmt.Println(a[i+1])
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		i = -1
		g[0][i] = 1
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		i = 7
		fmt.Println(a[1:i])
	}()
	letters := [26]byte{}
	for i := range letters {
		letters[i] = 'a' + byte(i)
	}
	fmt.Println(string(letters[:]), string(letters[3:6]))
	var u8 uint8 = 255
	tbl := [256]uint16{255: 7}
	tbl[u8]++
	fmt.Println(tbl[u8], tbl[u8-255])
}
