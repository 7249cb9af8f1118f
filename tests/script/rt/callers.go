// run
// SPDX-License-Identifier: MIT

// runtime.Caller, Callers, CallersFrames, FuncForPC, Stack.
package main

import (
	"fmt"
	"runtime"
	"strings"
)

type T struct{}

func (T) method() string   { return where(1) }
func (*T) pmethod() string { return where(1) }

func where(skip int) string {
	pc, file, line, ok := runtime.Caller(skip)
	if !ok {
		return "no caller"
	}
	return fmt.Sprint(file[strings.LastIndex(file, "/")+1:], ":", line, " ", runtime.FuncForPC(pc).Name())
}

func names(skip int) (out []string) {
	pcs := make([]uintptr, 20)
	n := runtime.Callers(skip, pcs)
	fs := runtime.CallersFrames(pcs[:n])
	for {
		f, more := fs.Next()
		if strings.HasPrefix(f.Function, "main.") {
			out = append(out, fmt.Sprint(f.Function, ":", f.Line))
		}
		if !more {
			return
		}
	}
}

func a(n int) []string {
	if n > 0 {
		return a(n - 1)
	}
	return b()
}

func b() []string { return names(1) }

var global = where(1)

func init() { fmt.Println(where(1)) }

func main() {
	fmt.Println(where(0))
	fmt.Println(where(1))
	fmt.Println(T{}.method(), (&T{}).pmethod())
	fmt.Println(a(2))
	func() {
		fmt.Println(where(1))
	}()
	f := func() string { return where(1) }
	fmt.Println(
		f(),
		where(
			1))
	defer func() { fmt.Println(where(1)) }()
	func() {
		defer func() {
			recover()
			fmt.Println(names(1)[0])
		}()
		var p *int
		*p = 1
	}()
	done := make(chan string)
	go func() { done <- where(1) }()
	fmt.Println(<-done)
	_, _, _, ok := runtime.Caller(100)
	fmt.Println(ok, runtime.Callers(100, make([]uintptr, 5)))
	buf := make([]byte, 4096)
	s := string(buf[:runtime.Stack(buf, false)])
	fmt.Println(strings.HasPrefix(s, "goroutine 1 [running]:\nmain.main()\n\t"), strings.Contains(s, "callers.go:"))
	block := make(chan bool)
	for i := 0; i < 3; i++ {
		go func() { <-block }()
	}
	for {
		buf = make([]byte, 1<<16)
		s = string(buf[:runtime.Stack(buf, true)])
		if strings.Count(s, "[chan receive]:") == 3 {
			break
		}
		runtime.Gosched()
	}
	fmt.Println(strings.Count(s, "created by main.main") >= 3)
	close(block)
	fmt.Println(strings.HasPrefix(global, "callers.go:"), strings.Contains(global, "main.init"))
	if fn := runtime.FuncForPC(0); fn != nil {
		fmt.Println("?", fn.Name())
	}
}
