// run

// Loops whose first index is in range because the slice is known not to be empty:
// what is shorter later, or begins elsewhere, is not.
package main

import "fmt"

func sum(x []int) (s int) {
	for _, v := range x {
		s += v
	}
	return s
}

func sumFrom(x []int, i int) (s int) {
	if len(x) == 0 {
		return -1
	}
	for {
		s += x[i]
		i++
		if i >= len(x) {
			return s
		}
	}
}

// It may be empty, for all that is known.
func maybe(x []int) (s int) {
	if len(x) < 0 {
		return -1
	}
	i := 0
	for {
		s += x[i] + 1
		i++
		if i >= len(x) {
			return s
		}
	}
}

// Of what is left over it is not known how long it is.
func others(x []int) (s int) {
	switch len(x) {
	case 3:
		return -3
	case 5:
		return -5
	}
	i := 0
	for {
		s += x[i] + 1
		i++
		if i >= len(x) {
			return s
		}
	}
}

// The first index may be one, or beyond.
func masked(x []int, i int) (s int) {
	i &= 7
	if len(x) < 2 {
		return -1
	}
	for {
		s += x[i]
		i++
		if i >= len(x) {
			return s
		}
	}
}

// The slice is not empty, and becomes shorter while it is gone through.
func shrinking(x []int) (s int) {
	if len(x) == 0 {
		return -1
	}
	i := 0
	for {
		s += x[i]
		i++
		if i >= len(x) {
			return s
		}
		if i%3 == 0 {
			x = x[:len(x)-2]
		}
	}
}

func two(x, y []int) (s int) {
	if len(y) == 0 {
		return -1
	}
	for i := range x {
		s += y[i]
	}
	return s
}

// The test is of a copy, of before.
func copied(x []int) (s int) {
	y := x
	if len(y) <= 0 {
		return 0
	}
	x = x[:len(x)/2]
	i := 0
	for {
		s += x[i] * y[i]
		i++
		if i >= len(y) {
			return s
		}
	}
}

// The index begins again within.
func again(x []int, n int) (s int) {
	if len(x) < 2 {
		return -1
	}
	i := 1
	for r := 0; r < n; r++ {
		s += x[i]
		i++
		if i >= len(x) {
			i = 1
		}
		if r == n-2 {
			i = n
		}
	}
	return s
}

func back(x []int) (s int) {
	if len(x) == 0 {
		return -1
	}
	for i := len(x) - 1; ; i-- {
		s += x[i]
		if x[i] < 0 {
			return s
		}
	}
}

func two2(x [][]int) (s int) {
	for _, y := range x {
		for i, v := range y {
			s += v * y[len(y)-1-i]
		}
	}
	return s
}

func try(what string, f func() int) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(what, e)
		}
	}()
	fmt.Println(what, f())
}

func main() {
	x := make([]int, 100)
	for i := range x {
		x[i] = i*i%17 + 1
	}
	for range 20 {
		sum(x)
		sumFrom(x, 3)
		two(x, x)
		maybe(x[:10])
		masked(x, 3)
		others(x)
		two2([][]int{x, x[:3], nil, x[5:]})
		again(x, 99)
	}
	try("sum", func() int { return sum(x) + sum(x[:1]) + sum(nil) })
	try("from", func() int { return sumFrom(x, 3) })
	try("from behind", func() int { return sumFrom(x[:5], 5) })
	try("from below", func() int { return sumFrom(x[:5], -1) })
	try("maybe", func() int { return maybe(x[:9]) })
	try("maybe, empty", func() int { return maybe(x[:0]) })
	try("others", func() int { return others(x[:9]) + others(x[:5]) })
	try("others, empty", func() int { return others(nil) })
	try("masked", func() int { return masked(x, 13) })
	try("masked, beyond", func() int { return masked(x[:4], 13) })
	try("shrinking", func() int { return shrinking(x[:50]) })
	try("shrinking all", func() int { return shrinking(x[:7]) })
	try("two", func() int { return two(x, x) })
	try("two, short", func() int { return two(x, x[:40]) })
	try("copied", func() int { return copied(x[:60]) })
	try("copied, one", func() int { return copied(x[:1]) })
	try("again", func() int { return again(x, 90) })
	try("again, beyond", func() int { return again(x, 150) })
	try("back", func() int { return back(x) })
	try("two2", func() int { return two2([][]int{x, x[:3], nil, x[5:]}) })
}
