// run
// SPDX-License-Identifier: MIT

// Defer, panic and recover in every combination that returns.
package main

import (
	"errors"
	"fmt"
	"runtime"
)

type myErr struct{ code int }

func (e *myErr) Error() string { return fmt.Sprint("myErr ", e.code) }

func try(name string, f func()) {
	defer func() {
		r := recover()
		if re, ok := r.(runtime.Error); ok {
			fmt.Println(name, "runtime error:", re.Error())
			return
		}
		fmt.Printf("%s %T %v\n", name, r, r)
	}()
	f()
	fmt.Println(name, "returned")
}

func order() {
	for i := 0; i < 3; i++ {
		defer fmt.Print("d", i, " ")
	}
	defer func() {
		defer fmt.Print("inner ")
		fmt.Print("outer ")
	}()
}

func rethrow() {
	defer func() {
		r := recover()
		panic(fmt.Sprint("re-", r))
	}()
	panic("first")
}

func replaced() {
	defer func() { panic("third") }()
	defer func() { panic("second") }()
	panic("first")
}

func result() (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
			n *= 2
		}
	}()
	n = 21
	panic(&myErr{7})
}

func notDirect() {
	defer func() {
		func() { fmt.Print("nested recover: ", recover(), "; ") }()
	}()
	panic("kept")
}

func helper() { fmt.Print("helper recovered ", recover(), "; ") }

func direct() {
	defer helper()
	panic("direct")
}

type closer struct{ name string }

func (c closer) Close() { fmt.Print("close ", c.name, " ") }

func methods() {
	a := closer{"a"}
	defer a.Close()
	a.name = "b"
	p := &a
	defer p.Close()
	var i interface{ Close() } = closer{"i"}
	defer i.Close()
	f := a.Close
	a.name = "c"
	defer f()
	panic("after")
}

func loopRecover() (n int) {
	for i := 0; i < 100; i++ {
		func() {
			defer func() {
				if recover() != nil {
					n++
				}
			}()
			var a []int
			if i%3 == 0 {
				_ = a[i]
			}
		}()
	}
	return
}

func nilFunc() {
	var f func()
	defer fmt.Print("before nil func; ")
	defer f()
}

func deep(n int) {
	defer func() {
		if r := recover(); r != nil {
			if n%2 == 0 {
				panic(r.(int) + n)
			}
			panic(r)
		}
	}()
	if n == 20 {
		panic(1000)
	}
	deep(n + 1)
}

func main() {
	try("order", order)
	try("rethrow", rethrow)
	try("replaced", replaced)
	fmt.Println(result())
	try("notDirect", notDirect)
	try("direct", direct)
	try("methods", methods)
	fmt.Println(loopRecover())
	try("nilFunc", nilFunc)
	try("deep", func() { deep(0) })
	try("error", func() { panic(errors.New("an error")) })
	try("nil", func() { panic(nil) })
	try("goexit-free", func() { fmt.Println("recover outside:", recover()) })
	zero := 0
	var np *closer
	var nm map[string]int
	var ni interface{ Close() }
	var e interface{} = "str"
	var ch chan int
	sl := []int{1, 2, 3}
	try("div", func() { fmt.Println(1 / zero) })
	try("nilptr", func() { fmt.Println(np.name) })
	try("nilmap", func() { nm["x"] = 1 })
	try("nilif", func() { ni.Close() })
	try("assert", func() { fmt.Println(e.(int)) })
	try("assert2", func() { fmt.Println(e.(fmt.Stringer)) })
	try("assert3", func() { e = nil; fmt.Println(e.(int)) })
	try("index", func() { fmt.Println(sl[zero+3]) })
	try("neg", func() { fmt.Println(sl[zero-1]) })
	try("slice", func() { fmt.Println(sl[2:zero]) })
	try("slice3", func() { fmt.Println(sl[0 : 2 : zero+9]) })
	try("close", func() { close(ch) })
	try("closed", func() { c := make(chan int); close(c); close(c) })
	try("send", func() { c := make(chan int, 1); close(c); c <- 1 })
	try("unhash", func() { m := map[interface{}]int{}; m[[]int{1}] = 2 })
	try("cmp", func() { var a, b interface{} = []int{1}, []int{1}; fmt.Println(a == b) })
	try("cmp2", func() { var a, b interface{} = func() {}, 1; fmt.Println(a == b) })
	try("shift", func() { s := -1 - zero; fmt.Println(1 << s) })
	try("custom", func() { panic(myErr{3}) })
	try("runtimeErr", func() {
		defer func() { panic(fmt.Sprintf("wrapped: %v", recover())) }()
		_ = sl[10+zero]
	})
}
