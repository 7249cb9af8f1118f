// run
// SPDX-License-Identifier: MIT

// What the runtime has below the program's own functions.
package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

func show(what string) {
	for i := 1; ; i++ {
		pc, file, line, ok := runtime.Caller(i)
		if !ok {
			break
		}
		fn := runtime.FuncForPC(pc)
		f, _ := fn.FileLine(pc)
		fmt.Println(what, i, fn.Name(), filepath.Base(file), f == file, line > 0)
	}
	for n := 1; n < 8; n++ {
		pcs := make([]uintptr, n)
		fs := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
		for {
			f, more := fs.Next()
			if f.Line == 0 || f.Func == nil || f.Func.Name() != f.Function {
				fmt.Println("bad frame", f)
			}
			fmt.Print(f.Function, " ", filepath.Base(f.File), "; ")
			if !more {
				break
			}
		}
		fmt.Println()
	}
	for skip := 0; skip < 8; skip++ {
		fmt.Print(runtime.Callers(skip, make([]uintptr, 20)), " ")
	}
	fmt.Println()
}

func inner(what string, n int) {
	if n > 0 {
		inner(what, n-1)
		return
	}
	show(what)
}

func main() {
	show("main")
	done := make(chan bool)
	go func() {
		inner("go", 2)
		done <- true
	}()
	<-done
	go func() {
		defer func() {
			recover()
			show("deferred")
			done <- true
		}()
		panic(1)
	}()
	<-done
	buf := make([]byte, 1000)
	fmt.Println(strings.Contains(string(buf[:runtime.Stack(buf, false)]), "runtime.goexit"))
}
