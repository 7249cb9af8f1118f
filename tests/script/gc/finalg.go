// run
// SPDX-License-Identifier: MIT

// The goroutine of finalizers is one of the system, but while one of them
// runs, profiles and tracebacks show it.
package main

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"strings"
)

type T struct{ a, b int }

func main() {
	in := make(chan bool)
	out := make(chan bool)
	fmt.Println("before", runtime.NumGoroutine())
	func() {
		t := &T{1, 2}
		runtime.SetFinalizer(t, func(*T) {
			in <- true
			<-out
			in <- true
		})
	}()
	runtime.GC()
	<-in
	recs := make([]runtime.StackRecord, 10)
	n, ok := runtime.GoroutineProfile(recs)
	fmt.Println("running", runtime.NumGoroutine(), n, ok, pprof.Lookup("goroutine").Count())
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	first := strings.SplitN(b.String(), "\n", 2)[0]
	fmt.Println(first, strings.Contains(b.String(), "main.main.func"))
	buf := make([]byte, 10000)
	fmt.Println(strings.Count(string(buf[:runtime.Stack(buf, true)]), "goroutine "))
	out <- true
	<-in
	for n != 1 {
		runtime.Gosched()
		n, ok = runtime.GoroutineProfile(recs)
	}
	fmt.Println("after", runtime.NumGoroutine(), n, ok)
}
