// run

package main

import "fmt"

// Copies of slices of numbers: of all lengths, from and to all places, that
// overlap either way or do not, of which the count is asked for or not.

func bytes(dst, src []byte) int   { return copy(dst, src) }
func quiet(dst, src []byte)       { copy(dst, src) }
func words(dst, src []int) int    { return copy(dst, src) }
func halves(dst, src []int32) int { return copy(dst, src) }
func shorts(dst, src []int16) int { return copy(dst, src) }
func text(dst []byte, s string) int {
	return copy(dst, s)
}
func floats(dst, src []float64) (n int, sum float64) {
	x := sum + 1.5
	n = copy(dst, src)
	for _, y := range dst[:n] {
		sum += y * x
	}
	return n, sum
}

// The result has the place of an operand.
func again(dst, src []int, n int) int {
	for n > 0 {
		dst = dst[copy(dst, src):]
		src = src[:len(src)-1]
		n--
		if len(src) == 0 {
			break
		}
	}
	return len(dst)
}

func strings(dst, src []string) int { return copy(dst, src) }

// More is live than there are registers.
func many(dst, src []int, a, b, c, d, e, f, g, h, i int, x, y float64) (int, float64) {
	for range 3 {
		n := copy(dst[a:], src[b:])
		a, b, c = b, a, c+n
		d, e, f = e+a, f^n, d
		g, h, i = h+1, i*3, g+n
		x, y = y+float64(n), x*2
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i, x + y
}

// What is copied to is a variable's own memory.
func local(src []int) (int, int) {
	var a [6]int
	a[1] = 5
	n := copy(a[2:], src)
	return n, a[0] + a[1]*10 + a[2]*100 + a[3]*1000 + a[5]*100000
}

func checkAll(size int) {
	buf, want := make([]byte, size), make([]byte, size)
	for n := range 80 {
		for _, from := range []int{0, 1, 15, 16, 17, 33, 90} {
			for d := -from; d <= 90; d += 1 + n/8 {
				for i := range buf {
					buf[i] = byte(i*7 + n)
					want[i] = buf[i]
				}
				for i := range n {
					want[from+d+i] = byte((from+i)*7 + n)
				}
				if got := bytes(buf[from+d:from+d+n], buf[from:from+n]); got != n || string(buf) != string(want) {
					fmt.Println("bytes", n, from, d, got)
				}
			}
		}
	}
	for _, n := range []int{63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 300, 1000} {
		for _, d := range []int{-90, -65, -17, -16, -15, -1, 0, 1, 8, 15, 16, 17, 100, 255, 256, 257} {
			for i := range buf {
				buf[i] = byte(i * 11)
			}
			quiet(buf[100+d:100+d+n], buf[100:100+n])
			for i := range n {
				if buf[100+d+i] != byte((100+i)*11) {
					fmt.Println("quiet", n, d, i)
					break
				}
			}
			for i := range 100 + d {
				if buf[i] != byte(i*11) {
					fmt.Println("below", n, d, i)
					break
				}
			}
			for i := 100 + n + max(d, 0); i < len(buf); i++ {
				if buf[i] != byte(i*11) {
					fmt.Println("above", n, d, i)
					break
				}
			}
		}
	}
}

func main() {
	a, b := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, make([]int, 7)
	f := []float64{1, 2, 3}
	s := []string{"a", "b", "c"}
	for range 3000 {
		bytes(nil, nil)
		quiet(make([]byte, 2), []byte("xyz"))
		words(b, a)
		halves(make([]int32, 3), []int32{1, 2})
		shorts(make([]int16, 3), []int16{1, 2})
		text(make([]byte, 3), "four")
		floats(f, f[1:])
		again(b, a[:3], 2)
		strings(s, s[1:])
		many(b, a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2)
		local(a)
	}
	checkAll(1500)
	fmt.Println(bytes(nil, []byte("a")), bytes([]byte("a"), nil), words(b, a[4:]), b)
	h := make([]int32, 5)
	fmt.Println(halves(h[1:], []int32{-1, 2, -3}), h, shorts([]int16{1}, []int16{2, 3}))
	t := make([]byte, 5)
	fmt.Println(text(t, "hello world"))
	fmt.Println(string(t))
	fmt.Println(text(t[3:], ""), text(t[3:], "Z"))
	fmt.Println(string(t))
	g := []float64{1, 2, 3, 4}
	fmt.Println(floats(g[1:], g))
	fmt.Println(again(make([]int, 20), a[:6], 4), again(b, a, 1))
	fmt.Println(strings(s, []string{"x", "y"}), s)
	fmt.Println(many(b, a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2))
	fmt.Println(b)
	fmt.Println(local(a))
	fmt.Println(local(a[:1]))
}
