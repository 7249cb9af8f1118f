// run
// SPDX-License-Identifier: MIT

// What is left out because numbers are known: checks of indices, and what
// divisions do for negative numbers.  Beside each case in which it may be left
// out stand those, which look much alike, in which it may not.
package main

import (
	"fmt"
	"math"
)

// try prints what f does, or that an index of it was out of range.
func try(name string, f func() int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
		}
	}()
	fmt.Println(name, f())
}

//go:noinline
func sum(a []int, from, to int) int {
	s := 0
	for i := from; i < to; i++ {
		s += a[i]
	}
	return s
}

//go:noinline
func whole(a []int) int {
	s := 0
	for i := 0; i < len(a); i++ {
		s += a[i]
	}
	return s
}

//go:noinline
func inclusive(a []int) int {
	s := 0
	for i := 0; i <= len(a); i++ {
		s += a[i]
	}
	return s
}

//go:noinline
func other(a, b []int) int {
	s := 0
	for i := 0; i < len(a); i++ {
		s += b[i]
	}
	return s
}

//go:noinline
func changed(a []int, by int) int {
	s := 0
	for i := 0; i < len(a); i++ {
		if s > 3 {
			i += by
		}
		s += a[i]
	}
	return s
}

//go:noinline
func ahead(a []int) int {
	s := 0
	for i := 0; i < len(a); i++ {
		s += a[i] - a[i+1]
	}
	return s
}

//go:noinline
func behind(a []int) int {
	s := 0
	for i := 0; i < len(a); i++ {
		s += a[i] - a[i-1]
	}
	return s
}

//go:noinline
func shrinks(a []int) int {
	s := 0
	n := len(a)
	for i := 0; i < n; i++ {
		s += a[i]
		if i == 2 {
			a = a[:4]
		}
	}
	return s
}

//go:noinline
func cutBefore(a []int, at int) int {
	s := 0
	for i := 0; i < len(a); i++ {
		if i == at {
			a = a[:i]
		}
		s += a[i]
	}
	return s
}

//go:noinline
func replaced(a, b []int) int {
	s := 0
	for i := 0; i < len(a); i++ {
		s += a[i]
		a, b = b, a
		s += a[i]
		a, b = b, a
	}
	return s
}

//go:noinline
func limited(a []int, n int) int {
	s := 0
	if n > len(a) {
		n = len(a)
	}
	for i := 0; i < n; i++ {
		s += a[i]
		n += i & 1 * s
	}
	return s
}

//go:noinline
func after(a []int) int {
	s := 0
	for k := 0; k < 2; k++ {
		i := 0
		for ; i < len(a); i++ {
			s += a[i]
		}
		s += a[i]
	}
	return s
}

//go:noinline
func afterwards(p *[8]int) int {
	s := 0
	for k := 0; k < 2; k++ {
		i := 0
		for ; i < 8; i++ {
			s += p[i]
		}
		s += p[i]
	}
	return s
}

//go:noinline
func joined(a []int, i int, looks bool) int {
	s := 0
	for k := 0; k < 2; k++ {
		if looks {
			if i < 0 || i >= len(a) {
				return -1
			}
		}
		s += a[i]
	}
	for k := 0; k < 2; k++ {
		if i < 0 {
			return -2
		}
		if !looks {
			s++
		} else if i >= len(a) {
			return -3
		}
		s += a[i]
	}
	return s
}

//go:noinline
func joinedLate(a []int, i int, looks bool) int {
	s := 0
	for k := 0; k < 2; k++ {
		if i < 0 {
			return -2
		}
		if looks {
			if i >= len(a) {
				return -3
			}
			s++
		} else {
			s += 2
		}
		s += a[i]
	}
	return s
}

//go:noinline
func wide(i, n uint) int {
	s := 0
	for k := 0; k < 2; k++ {
		if i < n {
			s += int(i) % 10
			s += int(i) / 4
		}
	}
	return s
}

//go:noinline
func shifted(p *[8]int, x uint64) int {
	s := 0
	for k := 0; k < 2; k++ {
		s += p[x>>61]
		s += p[x>>60]
	}
	return s
}

//go:noinline
func fromMap(p *[8]int, m map[int]int) int {
	s := 0
	for k := 0; k < 3; k++ {
		i := 7
		if k > 0 {
			i = m[k]
		}
		s += p[i]
		s += p[m[k+1]]
	}
	return s
}

// The capacity is no length.
func roomy(n, m int) int {
	a := make([]int, n, m)
	s := 0
	for i := 0; i < m; i++ {
		a[i] = i
		s += a[i]
	}
	return s
}

// On one of two ways to the access i is less than the length.
func oneWay(a []int, i int, looks bool) int {
	s := 0
	for k := 0; k < 2; k++ {
		if looks {
			if i >= len(a) {
				return -1
			}
		} else {
			s++
		}
		if i >= 0 {
			s += a[i]
		}
	}
	return s
}

// On each way to the access i is less than another length.
//
//go:noinline
func eitherWay(a, b []int, first, looksAt bool) int {
	s, n, m := 0, len(a), len(b)
	for i := 0; i < 100; i++ {
		if first {
			if i >= n {
				return s
			}
			s++
		} else {
			if i >= m {
				return s
			}
			s += 2
		}
		if looksAt {
			s += a[i]
		} else {
			s += b[i]
		}
	}
	return s
}

// What is less than a negative number without signs may be large.
//
//go:noinline
func lessThanNegative(p *[8]int, i uint, k int) int {
	s := 0
	for j := 0; j < 2; j++ {
		n := uint(k % 8)
		if i < n {
			s += p[i]
		}
		if i >= n {
			s++
		} else {
			s += p[i]
		}
	}
	return s
}

// What is not less without signs may be anything.
//
//go:noinline
func notLess(p *[8]int, i uint, k int) int {
	s := 0
	for j := 0; j < 2; j++ {
		n := uint(k & 7)
		if i >= n {
			s += p[i]
		}
		if i < n {
			s++
		} else {
			s += p[i]
		}
	}
	return s
}

// At most 8 is one too many.
//
//go:noinline
func atMost(p *[8]int, i uint, k int, first bool) int {
	s := 0
	for j := 0; j < 2; j++ {
		n := uint(k & 8)
		if i < n {
			s += p[i]
		}
		if first && i <= n {
			return s + p[i]
		}
		if i > n {
			s++
		} else {
			s += p[i]
		}
	}
	return s
}

// What is less than n without signs may have any sign.
func signless(a []int, i, n int) int {
	s := 0
	for k := 0; k < 2; k++ {
		if uint(i) < uint(n) && i < len(a) {
			s += a[i]
		}
	}
	return s
}

//go:noinline
func number(k int) int { return k * 5 }

//go:noinline
func called(p *[8]int) int {
	s := 0
	for k := 0; k < 3; k++ {
		i := 7
		s += p[i]
		i = number(k)
		s += p[i]
	}
	return s
}

//go:noinline
func ranged(a []int) int {
	s := 0
	for i := range a {
		s += a[i]
		if i == 2 {
			a = a[:4]
		}
	}
	return s
}

//go:noinline
func grows(a []int) int {
	s := 0
	for i := 0; i < len(a); i++ {
		s += a[i]
		if len(a) < 20 {
			a = append(a, i)
		}
	}
	return s
}

//go:noinline
func captured(a []int) int {
	s := 0
	cut := func() { a = a[:2] }
	n := len(a)
	for i := 0; i < n; i++ {
		s += a[i]
		if i == 3 {
			cut()
		}
	}
	return s
}

//go:noinline
func counter(a []int) int {
	s := 0
	i := 0
	back := func() { i -= 5 }
	for ; i < len(a); i++ {
		if i == 3 {
			back()
		}
		s += a[i]
	}
	return s
}

//go:noinline
func down(a []int, to int) int {
	s := 0
	for i := len(a) - 1; i >= to; i-- {
		s += a[i]
	}
	return s
}

//go:noinline
func wraps(a []int, step int) int {
	s := 0
	for i := 1; i < len(a); i += step {
		s += a[i]
		step *= 1 << 32
		step += math.MaxInt64
	}
	return s
}

//go:noinline
func unsigned(a []int, n uint) int {
	s := 0
	for i := uint(0); i < n; i++ {
		s += a[i]
	}
	return s
}

//go:noinline
func below(a []int, i int) int {
	s := 0
	for k := 0; k < 3; k++ {
		if uint(i) < uint(len(a)) {
			s += a[i]
		}
		if i < len(a) {
			s += a[i]
		}
	}
	return s
}

//go:noinline
func again(a []int, i, j int) int {
	s := 0
	for k := 0; k < 2; k++ {
		s += a[i]
		if k == 1 {
			i = j
		}
		s += a[i]
	}
	return s
}

//go:noinline
func made(n, m int) int {
	s := 0
	for k := 0; k < 2; k++ {
		a := make([]int, n)
		for i := 0; i < n; i++ {
			a[i] = i
			s += a[i]
		}
		n = m
		for i := 0; i < n; i++ {
			s += a[i]
		}
	}
	return s
}

//go:noinline
func table(n int) int {
	var t [8]int
	p := &t
	s := 0
	for i := 0; i < 8; i++ {
		p[i] = i
		t[7-i]++
	}
	for i := 0; i < n; i++ {
		s += p[i]
	}
	return s
}

//go:noinline
func masked(p *[8]int, x int) int {
	s := 0
	for i := -4; i < 4; i++ {
		s += p[(i+x)&7]
	}
	for i := -4; i < 4; i++ {
		s += p[(i+x)%8]
	}
	return s
}

//go:noinline
func bytes(b string, t *[200]int) int {
	s := 0
	for i := 0; i < len(b); i++ {
		s += t[b[i]]
	}
	return s
}

//go:noinline
func moved(a []int) int {
	s := 0
	for i := 0; i < len(a); i++ {
		j := i
		i++
		s += a[j]
		s += a[i]
	}
	return s
}

//go:noinline
func nested(n int) int {
	s := 0
	for i := 0; i < 10; i++ {
		for j := 0; j < 10; j++ {
			s += (i + j*j) % 7
			s += (i - j) % 7
			s += (i - j) / 4
			s += (i - j) % 4
			s += (i * j) / 4
			s += (i * j) % 4
			s += (i * j) / -3
			s += (i * j) % -8
			s += (n - i*j) % 8
			s += (n - i*j) / 9
		}
	}
	return s
}

//go:noinline
func overflows(step int) int {
	s := 0
	for i, k := 1, 0; k < 70; k++ {
		s += i % 10
		s += i / 16
		s ^= i % 16
		i *= 3
	}
	for i, k := 1, 0; k < 9; k++ {
		s += i % 10
		s ^= i / 8
		i += step
	}
	for i := 0; i < 5; i++ {
		s += (i + math.MaxInt64 - 2) % 10
		s += (i<<61 + i) % 10
	}
	return s
}

//go:noinline
func kinds(x int64) int {
	s := 0
	for k := 0; k < 4; k++ {
		s += int(int8(x)) % 10
		s += int(uint8(x)) % 10
		s += int(int16(x)) % 16
		s += int(uint16(x)) / 16
		s += int(int32(x)) / 10
		s += int(uint32(x)) / 10
		s += int(uint64(x)>>1) % 10
		s += int(uint64(x)) % 10
		x = x*31 - 7
	}
	return s
}

// What an index may be comes to it by many moves, one more each time around: too
// late for it to be found out.
//
//go:noinline
func late(t *[8]int, n int) int {
	var v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15,
		v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27, v28, v29, v30, v31 int
	s := 0
	for i := 0; i < n; i++ {
		s += t[v31]
		v31 = v30
		v30 = v29
		v29 = v28
		v28 = v27
		v27 = v26
		v26 = v25
		v25 = v24
		v24 = v23
		v23 = v22
		v22 = v21
		v21 = v20
		v20 = v19
		v19 = v18
		v18 = v17
		v17 = v16
		v16 = v15
		v15 = v14
		v14 = v13
		v13 = v12
		v12 = v11
		v11 = v10
		v10 = v9
		v9 = v8
		v8 = v7
		v7 = v6
		v6 = v5
		v5 = v4
		v4 = v3
		v3 = v2
		v2 = v1
		v1 = v0
		v0 = i
	}
	return s
}

func main() {
	a := []int{1, 2, 3, 4, 5, 6}
	try("sum", func() int { return sum(a, 0, 6) })
	try("sum beyond", func() int { return sum(a, 0, 7) })
	try("sum before", func() int { return sum(a, -1, 6) })
	try("whole", func() int { return whole(a) })
	try("whole of none", func() int { return whole(nil) })
	try("inclusive", func() int { return inclusive(a) })
	try("other, longer", func() int { return other(a[:3], a) })
	try("other, shorter", func() int { return other(a, a[:3]) })
	try("changed by 0", func() int { return changed(a, 0) })
	try("changed by 2", func() int { return changed(a, 2) })
	try("changed by -9", func() int { return changed(a, -9) })
	try("ahead", func() int { return ahead(a) })
	try("behind", func() int { return behind(a) })
	try("shrinks", func() int { return shrinks(a) })
	try("cut behind", func() int { return cutBefore(a, 6) })
	try("cut before", func() int { return cutBefore(a, 4) })
	try("replaced", func() int { return replaced(a, []int{6, 5, 4, 3, 2, 1}) })
	try("replaced, shorter", func() int { return replaced(a, a[:4]) })
	try("limited", func() int { return limited(a, 2) })
	t := [8]int{1, 2, 3, 4, 5, 6, 7, 8}
	try("after", func() int { return after(a) })
	try("afterwards", func() int { return afterwards(&t) })
	try("joined", func() int { return joined(a, 5, true) })
	try("joined beyond", func() int { return joined(a, 6, false) })
	try("joined late", func() int { return joinedLate(a, 5, true) })
	try("joined late beyond", func() int { return joinedLate(a, 6, false) })
	try("wide", func() int { return wide(math.MaxUint-7, math.MaxUint) })
	try("shifted", func() int { return shifted(&t, 7<<60) })
	try("shifted beyond", func() int { return shifted(&t, 8<<60) })
	try("from a map", func() int { return fromMap(&t, map[int]int{1: 2, 2: 7}) })
	try("from a map, beyond", func() int { return fromMap(&t, map[int]int{1: 2, 2: 8}) })
	try("called", func() int { return called(&t) })
	try("ranged", func() int { return ranged(a) })
	try("grows", func() int { return grows(append([]int(nil), a...)) })
	try("captured", func() int { return captured(a) })
	try("counter", func() int { return counter(a) })
	try("down", func() int { return down(a, 0) })
	try("down below", func() int { return down(a, -1) })
	try("wraps", func() int { return wraps(a, 1) })
	try("unsigned", func() int { return unsigned(a, 6) })
	try("unsigned beyond", func() int { return unsigned(a, 1<<63) })
	try("below", func() int { return below(a, 5) })
	try("below not", func() int { return below(a, 6) })
	try("below 0", func() int { return below(a, -1) })
	try("again", func() int { return again(a, 1, 2) })
	try("again beyond", func() int { return again(a, 1, 6) })
	try("made", func() int { return made(5, 4) })
	try("made shorter", func() int { return made(5, 6) })
	try("roomy", func() int { return roomy(5, 5) })
	try("roomy beyond", func() int { return roomy(5, 6) })
	try("one way", func() int { return oneWay(a, 5, true) })
	try("one way beyond", func() int { return oneWay(a, 6, true) })
	try("the other way beyond", func() int { return oneWay(a, 6, false) })
	try("either way", func() int { return eitherWay(a, a[:4], true, true) })
	try("either way, first", func() int { return eitherWay(a, a[:4], true, false) })
	try("either way, second", func() int { return eitherWay(a[:4], a, false, true) })
	try("less than negative", func() int { return lessThanNegative(&t, 3, 6) })
	try("less than negative, not", func() int { return lessThanNegative(&t, 6, 6) })
	try("less than negative beyond", func() int { return lessThanNegative(&t, 100, -3) })
	try("less than negative by far", func() int { return lessThanNegative(&t, 1<<63, -3) })
	try("not less", func() int { return notLess(&t, 7, 3) })
	try("not less, not", func() int { return notLess(&t, 2, 3) })
	try("not less beyond", func() int { return notLess(&t, 8, 3) })
	try("not less by far", func() int { return notLess(&t, 1<<63, 3) })
	try("at most", func() int { return atMost(&t, 7, 8, true) })
	try("at most, not", func() int { return atMost(&t, 9, 8, true) })
	try("at most beyond", func() int { return atMost(&t, 8, 8, true) })
	try("at most beyond, later", func() int { return atMost(&t, 8, 8, false) })
	try("signless", func() int { return signless(a, 5, -1) })
	try("signless below", func() int { return signless(a, -2, -1) })
	try("table", func() int { return table(8) })
	try("table beyond", func() int { return table(9) })
	try("masked", func() int { return masked(&t, 4) })
	try("masked below", func() int { return masked(&t, 0) })
	try("bytes", func() int { return bytes("abc", new([200]int)) })
	try("bytes beyond", func() int { return bytes("ab\xf0", new([200]int)) })
	try("moved", func() int { return moved(a) })
	try("moved beyond", func() int { return moved(a[:5]) })
	try("nested", func() int { return nested(20) })
	try("late", func() int { return late(&t, 40) })
	try("late beyond", func() int { return late(&t, 41) })
	for _, step := range []int{1, -1, 1 << 60, -1 << 60} {
		try("overflows", func() int { return overflows(step) })
	}
	for _, x := range []int64{0, -1, 127, -129, 1 << 40, math.MinInt64} {
		try("kinds", func() int { return kinds(x) })
	}
}
