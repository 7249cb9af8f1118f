// run
// concurrent: 5

// Deferred calls, each function often enough to be machine code.
package main

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

var sum int

type value struct {
	a int
	b string
	c float64
}

type adder interface{ add(n int) }

type counter struct{ n int }

func (c *counter) add(n int) { c.n += n }

func many(a int, b float64, s string, v value, e any, t []int, f float32) {
	sum += a + int(b) + len(s) + v.a + len(v.b) + int(v.c) + e.(int) + len(t) + int(f)
}

func manyMore(a, b, c, d, e, f, g, h, i, j string, k int) {
	sum += len(a+b+c+d+e+f+g+h+i+j) + k
}

func arguments(i int) {
	s := "abc"
	v := value{i, s, 2.5}
	x := float64(i) / 2
	defer many(i, x, s[:2], v, i*2, []int{i}, float32(i))
	defer manyMore(s, s, s, s, s, s, s, s, s, s, i)
	defer many(7, 1.5, "", value{}, 3, nil, 2)
	i = -1
	s = "other"
}

func methods(c *counter, a adder, i int) {
	defer c.add(i)
	defer a.add(1)
	f := c.add
	defer f(2)
	g := (*counter).add
	defer g(c, 3)
}

func loop(n int) (r []int) {
	for i := 0; i < n; i++ {
		defer func() { r = append(r, i) }()
	}
	return nil
}

func some(i int) (r int) {
	if i%3 == 0 {
		return 1
	}
	defer func() { r++ }()
	if i%3 == 1 {
		return 10
	}
	defer func() { r *= 2 }()
	return 100
}

func recovers(i int) (r string) {
	defer func() {
		if e := recover(); e != nil {
			r = fmt.Sprint(e)
		}
	}()
	defer func() { sum++ }()
	if i%2 == 0 {
		panic("even")
	}
	return "odd"
}

// The deferred function panics, and is recovered by another one.
func panicsLate(i int) (r string) {
	defer func() { r += " last" }()
	defer func() { r = fmt.Sprint(recover()) }()
	defer func() {
		defer func() { sum++ }()
		var a []int
		a[i] = 1
	}()
	return "never"
}

func nilFunc() (r string) {
	var f func()
	defer func() { r = fmt.Sprint(recover()) }()
	defer f()
	return "never"
}

// Each deferred call defers the next one.
func nested(n int) {
	sum++
	if n > 0 {
		defer func() { nested(n - 1) }()
	}
}

func deep(n int) int {
	if n == 0 {
		runtime.GC()
		return 0
	}
	return deep(n-1) + 1
}

// The stack moves while the deferred function runs.
func grows(p *int) {
	q := new(int)
	defer func() {
		*p += *q
	}()
	defer func() {
		*q = deep(3000)
	}()
}

func names() (r []string) {
	defer func() {
		pcs := make([]uintptr, 10)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
		for {
			f, more := frames.Next()
			r = append(r, fmt.Sprint(f.Function[strings.IndexByte(f.Function, '.')+1:], ":", f.Line))
			if !more || f.Function == "main.main" {
				return
			}
		}
	}()
	return nil
}

func parks(c chan int) {
	defer func() { sum += <-c }()
	defer func() { c <- 1 }()
}

func exits(wg *sync.WaitGroup, c *counter, i int) {
	defer wg.Done()
	defer c.add(1)
	defer func() {
		if i%2 == 0 {
			runtime.Goexit()
		}
	}()
	defer func() { recover() }()
	if i%3 == 0 {
		panic(i)
	}
}

func made(f func(int)) { defer f(5) }

func ranged(seq func(func(int) bool)) {
	for i := range seq {
		defer func() { sum += i }()
	}
}

func main() {
	const n = 3000
	c := &counter{}
	for i := 0; i < n; i++ {
		arguments(i)
		methods(c, c, i)
		sum += some(i)
	}
	fmt.Println(sum, c.n)

	texts := map[string]int{}
	for i := 0; i < n; i++ {
		texts[recovers(i)]++
		texts[nilFunc()]++
	}
	for i := 0; i < 200; i++ {
		texts[panicsLate(i%2)]++
	}
	fmt.Println(sum, texts)

	total := 0
	for i := 0; i < n/10; i++ {
		for k, x := range loop(i % 10) {
			total = total*3%1000003 + x*k + x
		}
	}
	fmt.Println(total, len(loop(1000)))

	for i := 0; i < 100; i++ {
		nested(i)
	}
	fmt.Println(sum)

	p := 0
	for i := 0; i < 3; i++ {
		done := make(chan bool)
		go func() {
			defer close(done)
			grows(&p)
		}()
		<-done
	}
	fmt.Println(p)

	for i := 0; i < n; i++ {
		if i == 0 || i == n-1 {
			fmt.Println(names())
		}
	}

	var wg sync.WaitGroup
	ch := make(chan int, 1)
	for i := 0; i < n; i++ {
		parks(ch)
	}
	c = &counter{}
	for i := 0; i < 300; i++ {
		wg.Add(1)
		go exits(&wg, c, i)
		wg.Wait()
	}
	fmt.Println(sum, c.n)

	f := reflect.MakeFunc(reflect.TypeOf(func(int) {}), func(a []reflect.Value) []reflect.Value {
		sum += int(a[0].Int())
		return nil
	}).Interface().(func(int))
	for i := 0; i < n; i++ {
		made(f)
		ranged(func(yield func(int) bool) {
			for i := 0; i < 3 && yield(i); i++ {
			}
		})
	}
	fmt.Println(sum)
}
