// run

// Array and slice literals of constants, which are laid out as data.
package main

import "fmt"

type pt struct {
	x int8
	y uint16
	z float32
}
type named [9]int16

var a = [...]int{1, 2, 3, 4, 5, 6, 7, 8, -9, 10}
var b = []uint8{255, 1, 2, 3, 4, 5, 6, 7, 8, 9}
var c = []pt{{1, 2, 3.5}, {x: -1}, {y: 65535}, {z: -0.25}, {}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}}
var d = named{3: -4, 8: 1<<15 - 1, 0: 1, 1: 2, 2: 3, 4: 5, 5: 6, 6: 7, 7: 8}
var e = []float64{1, 2.5, 3, 4, 5, 6, 7, 8e300, -0.0}
var g = []complex64{1, 2i, 3, 4, 5, 6, 7, 8 + 9i}
var h = []bool{true, false, true, true, true, true, true, true, true}
var i = [2][9]int32{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {-1, -2, -3, -4, -5, -6, -7, -8, -9}}
var n = 5
var j = []int{1, 2, 3, 4, 5, 6, 7, 8, n}
var k = []any{1, 2, 3, 4, 5, 6, 7, 8, 9}
var l = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}
var m = [][2]int8{{1, 2}, {3}, {1: 4}, {}, {5, 6}, {7, 8}, {9, 10}, {11, 12}}
var q = []uintptr{1, 2, 3, 4, 5, 6, 7, ^uintptr(0)}
var r = []rune{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 0x10ffff}
var s = []struct {
	a uint8
	_ uint8
	b uint32
}{{1, 2, 3}, {4, 5, 6}, {}, {}, {}, {}, {}, {7, 8, 9}}

func local(n int) (r [9]int, p *[9]int, q []int) {
	r = [9]int{1, 2, 3, 4, 5, 6, 7, 8, 9}
	p = &[9]int{9, 8, 7, 6, 5, 4, 3, 2, 1}
	q = []int{9, 8, 7, 6, 5, 4, 3, 2, 1}
	p[n] = 100
	q[n] = 100
	return
}

func main() {
	fmt.Println(a, b, c, d, e, g, h, i, j, k, l, m, q, r, s)
	fmt.Println(cap(b), len(c))
	for n := 0; n < 3; n++ {
		r, p, q := local(n)
		fmt.Println(r, *p, q)
	}
	b[0] = 1
	x := []uint8{255, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	fmt.Println(b[0], x[0])
	var z struct {
		a [8]int
		s string
	}
	z = struct {
		a [8]int
		s string
	}{[8]int{1, 2, 3, 4, 5, 6, 7, 8}, "z"}
	fmt.Println(z)
	func() {
		defer func() { fmt.Println(recover()) }()
		var p *[8]int
		*p = [8]int{1, 2, 3, 4, 5, 6, 7, 8}
	}()
}
