// run

// Functions that call one another in a deep recursion, by closures: their frames
// lie at all places of a stack that grows and shrinks.  Machine code that finds
// no room for a callee is left there, and entered again as that of another
// function, which may have less in registers than what it needs.  One of the
// random programs about addresses.
package main

import "fmt"

type T struct {
	a, b int
	p    *int
	next *T
}

var (
	gn   = map[int]int{}
	fuel = 3000
	hash uint64
)

func note(n int) { hash = hash*31 + uint64(n) + 7 }
func burn() bool { fuel--; return fuel < 0 }
func scrub(n int) int {
	var a [24]int
	t := &T{a: -n, b: n}
	f := func(i int) { a[i%24] += t.a*i + t.b }
	for i := range a[:] {
		f(i)
	}
	return a[3]
}
func (t *T) bump(n int) *T { t.a += n; return t }
func (t *T) set(p *int)    { t.p = p }
func (t T) total() int {
	n := t.a*3 + t.b
	return n
}
func see(e any) int {
	switch v := e.(type) {
	case [2]int:
		return len(v)
	}
	return 5
}
func each(n int, f func(int)) {
	for i := 0; i < n; i++ {
		f(i)
	}
}
func upto(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}
func M0(p0 *int, t0 *T) *T {
	i0 := *p0 + 0
	note(i0)
	return t0
}
func M1(p0 *int, t0 *T) *T {
	if burn() {
		return t0
	}
	i0 := *p0 + 1
	tx := &T{a: i0}
	_ = tx
	return M1((*&p0), tx)
}
func F0(p0 *int, t0 *T) (ret *int) {
	i0 := *p0 + 0
	each(2, func(i6 int) {
		f7 := func() int {
			for p8, n := F1(p0, t0.bump(1)), 0; n < 3; n++ {
				*t0 = func() T { v := T{a: t0.a}; v.p = &v.b; return v }()
				pp9 := &p0
				*pp9 = (*&p0)
				*p8 += n
			}
			*t0 = func() T { v := T{a: t0.a}; v.p = &v.b; return v }()
			return i0
		}
		note(f7())
	})
	f10 := func() int {
		for p11, n := &i0, 0; n < 3; n++ {
			each(3, func(i12 int) {
			})
			f19 := func() int {
				return i0
			}
			note(f19())
			*p11 += n
		}
		return i0
	}
	note(f10())
	return p0
}
func F1(p0 *int, t0 *T) (ret *int) {
	if burn() {
		return p0
	}
	i0 := *p0 + 1
	if 5 > t0.b {
		if t0.total() > i0 {
			each(2, func(i23 int) {
				i24 := i23
				defer func(e any) { note(see(e)) }([2]int{t0.total(), i24})
			})
			s27 := []*int{F1(p0, M0(&t0.b, t0)), F0(p0, M1((*&p0), t0))}
			*s27[1]++
		}
		for p28, n := p0, 0; n < 3; n++ {
			p29 := &i0
			_ = p29
			for p30, n := p28, 0; n < 3; n++ {
				*p30 += n
			}
			each(2, func(i33 int) {
			})
		}
	}
	each(2, func(i36 int) {
		f37 := func() int {
			for i38 := range upto(3) {
				var e41 any
				for j := 0; j < 3; j++ {
					if e41 != nil {
						note(see(e41))
					}
					e41 = [2]int{*p0, i38}
				}
			}
			return i36
		}
		note(f37())
		pp46 := &p0
		*pp46 = new(int)
		for i49 := range upto(4) {
			for i50 := 0; i50 < 4; i50++ {
			}
			for p52, n := p0, 0; n < 3; n++ {
				t53 := M1((*&p0), t0)
				t53.set(&i49)
				*p52 += n
				v55 := T{a: i0, p: p0}
				t0 = &v55
				p56 := (*&p0)
				_ = p56
			}
		}
		for p59, n := p0, 0; n < 3; n++ {
			for p60, n := F0(p0, t0), 0; n < 3; n++ {
				*p60 += n
			}
			*p59 += n
		}
	})
	func() {
		for p67, n := (*&p0), 0; n < 3; n++ {
			f68 := func() int {
				return i0
			}
			note(f68())
			*p67 += n
		}
	}()
	for i70 := 0; i70 < 3; i70++ {
		v71 := T{a: 16, p: &i0}
		t0 = &v71
		each(3, func(i72 int) {
			if i0 > i72 {
			}
		})
		if i0 > *&i0 {
			gn[3] = i0
			for p77, n := F1(p0, &T{a: t0.total(), p: p0}), 0; n < 3; n++ {
				v78 := T{a: i0, p: (*&p77)}
				t0 = &v78
			}
		}
		for i83 := 0; i83 < 4; i83++ {
			if i83 > t0.b {
				e85 := []any{fmt.Sprint(i70), [2]int{i0, i70}}
				note(scrub(1))
				note(see(e85[0]))
			}
		}
	}
	return &t0.a
}
func main() {
	for range 8 {
		done := make(chan bool)
		go func() {
			defer close(done)
			x := 1
			t := &T{a: 2, p: &x}
			fuel = 3000
			for i := 0; i < 12; i++ {
				note(*F0(&x, t))
				note(*F1(&x, t))
			}
		}()
		<-done
		fmt.Println(hash)
	}
}
