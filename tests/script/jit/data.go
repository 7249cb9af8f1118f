// run
package main

import (
	"fmt"
	"runtime"
)

// Strings of every length to past four blocks of sixteen, that differ in each
// place or nowhere, at each distance from an even address.
//
//go:noinline
func same(a, b string) bool { return a == b }

//go:noinline
func differs(a, b string) int {
	if a != b {
		return 1
	}
	return 0
}

func equality() {
	const max = 70
	count, wrong := 0, 0
	for n := 0; n <= max; n++ {
		for skew := 0; skew < 8; skew += 3 {
			x, y := make([]byte, n+skew), make([]byte, n)
			for i := range y {
				y[i] = byte(i*7 + n)
				x[i+skew] = y[i]
			}
			b := string(y)
			a := string(x)[skew:]
			count++
			if !same(a, b) || differs(a, b) != 0 || !same(a, a) {
				wrong++
			}
			for i := 0; i < n; i++ {
				x[i+skew] ^= 0x80
				a = string(x)[skew:]
				if same(a, b) || differs(a, b) != 1 {
					wrong++
				}
				x[i+skew] ^= 0x80
				count++
			}
			if same(a+"x", b) || n > 0 && same(a, b[1:]) {
				wrong++
			}
		}
	}
	fmt.Println("strings:", count, "wrong:", wrong)
}

func try(name string, f func() string) (s string) {
	defer func() {
		if e := recover(); e != nil {
			s = fmt.Sprint(e)
		}
	}()
	return f()
}

type triple struct {
	a string
	p *int
}

//go:noinline
func cut[T any](s []T, lo, hi, max int) string {
	r := s[lo:hi:max]
	q := s[lo:hi]
	return fmt.Sprint(len(r), cap(r), len(q), cap(q), len(s[lo:]), len(s[:hi]))
}

//go:noinline
func cutString(s string, lo, hi int) string {
	return s[lo:hi] + "|" + s[lo:] + "|" + s[:hi]
}

func parts() {
	seen := map[string]int{}
	sum := 0
	for lo := -1; lo <= 5; lo++ {
		for hi := -1; hi <= 5; hi++ {
			for max := -1; max <= 6; max++ {
				for _, s := range []string{
					try("b", func() string { return cut(make([]byte, 3, 5), lo, hi, max) }),
					try("i", func() string { return cut(make([]int, 3, 5), lo, hi, max) }),
					try("t", func() string { return cut(make([]triple, 3, 5), lo, hi, max) }),
					try("z", func() string { return cut(make([]struct{}, 3, 5), lo, hi, max) }),
				} {
					seen[s]++
					for i, c := range s {
						sum += i * int(c)
					}
				}
			}
			s := try("s", func() string { return cutString("abc", lo, hi) })
			seen[s]++
			for i, c := range s {
				sum += i * int(c)
			}
		}
	}
	fmt.Println("slices:", len(seen), sum)
}

type number int32
type pair struct{ x, y int }

//go:noinline
func kind(v any) string {
	switch v := v.(type) {
	case int:
		return fmt.Sprint("int ", v)
	case uint8:
		return fmt.Sprint("uint8 ", v)
	case bool:
		return fmt.Sprint("bool ", v)
	case float64:
		return fmt.Sprint("float64 ", v)
	case string:
		return fmt.Sprint("string ", v, len(v))
	case number:
		return fmt.Sprint("number ", v)
	case *pair:
		return fmt.Sprint("*pair ", v.x, v.y)
	case pair:
		return fmt.Sprint("pair ", v.x, v.y)
	case complex64:
		return fmt.Sprint("complex64 ", v)
	case func() int:
		return fmt.Sprint("func ", v())
	case map[int]int:
		return fmt.Sprint("map ", len(v))
	case nil:
		return "nil"
	}
	return "other"
}

func assertions() {
	n := 5
	for _, v := range []any{1, uint8(200), true, false, 1.5, "text", "",
		number(-3), &pair{1, 2}, pair{3, 4}, complex64(1 + 2i),
		func() int { return n }, map[int]int{1: 2}, map[int]int(nil), nil, 'x'} {
		i, isInt := v.(int)
		s, isString := v.(string)
		b, isBool := v.(uint8)
		p, isPair := v.(*pair)
		fmt.Println(kind(v), i, isInt, s, isString, b, isBool, p == nil, isPair,
			try("", func() string { return fmt.Sprint(v.(float64)) }),
			try("", func() string { return v.(string) }))
	}
}

// Appended values of all sizes survive collections and keep their order.
func appends() {
	var (
		ptrs []*int
		strs []string
		anys []any
		pars []pair
		tris [][]int
		half []int16
	)
	for i := 0; i < 3000; i++ {
		p := new(int)
		*p = i
		ptrs = append(ptrs, p)
		strs = append(strs, fmt.Sprint(i))
		anys = append(anys, i)
		pars = append(pars, pair{i, -i})
		tris = append(tris, []int{i})
		half = append(half, int16(i))
		if i%1000 == 999 {
			runtime.GC()
		}
	}
	bad := 0
	for i := range ptrs {
		if *ptrs[i] != i || strs[i] != fmt.Sprint(i) || anys[i] != any(i) ||
			pars[i] != (pair{i, -i}) || tris[i][0] != i || half[i] != int16(i) {
			bad++
		}
	}
	var none map[string]int
	fmt.Println("appended:", len(ptrs), "bad:", bad, len(none), len(map[string]int{"a": 1}))
}

func main() {
	equality()
	parts()
	assertions()
	appends()
}
