// run

package main

import "fmt"

type number interface {
	~uint8 | ~uint16 | ~uint32 | ~int64 | ~float64
}

// What append(a, b...) is, element by element.
func slowly[T any](a, b []T) []T {
	r := make([]T, 0, len(a)+len(b))
	for _, x := range a {
		r = append(r, x)
	}
	for _, x := range b {
		r = append(r, x)
	}
	return r
}

func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func fill[T number](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(i*37%251 + 1)
	}
	return s
}

// Appends n elements where there is room, where there is just enough, and
// where there is one too few; what stands behind the end must not change.
func lengths[T number](name string) {
	bad, grown := 0, 0
	for n := 0; n <= 70; n++ {
		src := fill[T](n)
		for _, spare := range []int{n - 1, n, n + 3} {
			if spare < 0 {
				continue
			}
			back := fill[T](5 + spare + 2)
			old := slowly(back, nil)
			s := back[: 5 : 5+spare]
			r := append(s, src...)
			if !equal(r, slowly(old[:5], src)) {
				bad++
			}
			if spare < n {
				grown++
				if !equal(back, old) {
					bad++
				}
				continue
			}
			if &r[0] != &back[0] || cap(r) != 5+spare {
				bad++
			}
			if !equal(back[5+n:], old[5+n:]) {
				bad++
			}
		}
	}
	fmt.Println(name, bad, "bad,", grown, "grown")
}

// The source overlaps what is written, in front and behind.
func overlaps[T number](name string) {
	bad := 0
	for n := 0; n <= 70; n++ {
		for d := -4; d <= 4; d++ {
			back := fill[T](90)
			old := slowly(back, nil)
			from, to := 8+d, 8
			r := append(back[:to], back[from:from+n]...)
			if !equal(r, slowly(old[:to], old[from:from+n])) ||
				!equal(back[to+n:], old[to+n:]) {
				bad++
			}
		}
	}
	fmt.Println(name, bad, "overlaps wrong")
}

func text(parts ...string) string {
	var b []byte
	for i, p := range parts {
		b = append(b, p...)
		if i&1 != 0 {
			b = append(b, b[:i]...)
		}
	}
	return string(b)
}

func nothing() {
	var none []byte
	r := append(none, none...)
	fmt.Println(r == nil, len(append(none, ""...)), len(append([]int64{}, []int64(nil)...)))
}

// Live values around an append that has to grow stay what they are.
func around(n int) (float64, int, string) {
	f, i, s := 1.5, n, "x"
	var b []byte
	for k := 0; k < n; k++ {
		b = append(b, s...)
		f += float64(len(b))
		i ^= cap(b) & 1
		if k%16 == 0 {
			s = s + "y"
			b = b[:len(b):len(b)]
		}
	}
	return f, i, s
}

func main() {
	lengths[uint8]("uint8")
	lengths[uint16]("uint16")
	lengths[uint32]("uint32")
	lengths[int64]("int64")
	lengths[float64]("float64")
	overlaps[uint8]("uint8")
	overlaps[uint16]("uint16")
	overlaps[uint32]("uint32")
	overlaps[int64]("int64")
	overlaps[float64]("float64")
	fmt.Println(text("a", "bc", "def", "ghij", "", "klmnopqrstuvwxyz0123456789"))
	nothing()
	fmt.Println(around(200))
}
