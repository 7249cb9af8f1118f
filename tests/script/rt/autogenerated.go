// run
// SPDX-License-Identifier: MIT

// Where methods are that nobody wrote: in no file.
package main

import (
	"fmt"
	"path"
	"reflect"
	"runtime"
)

type Leaf struct{ n *int }

func (l *Leaf) Up() { (*l.n)++; fmt.Print() }
func (l Leaf) Down() int {
	fmt.Print()
	return *l.n
}

type Root struct{ Leaf }

func show(f any) {
	pc := reflect.ValueOf(f).Pointer()
	fn := runtime.FuncForPC(pc)
	file, line := fn.FileLine(fn.Entry())
	fmt.Println(fn.Name(), path.Base(file), line)
}

func main() {
	t := reflect.TypeOf(&Root{})
	for i := 0; i < t.NumMethod(); i++ {
		m := t.Method(i)
		fn := runtime.FuncForPC(m.Func.Pointer())
		file, line := fn.FileLine(fn.Entry())
		fmt.Println(m.Name, fn.Name(), path.Base(file), line)
	}
	t = reflect.TypeOf(&Leaf{})
	for i := 0; i < t.NumMethod(); i++ {
		m := t.Method(i)
		fn := runtime.FuncForPC(m.Func.Pointer())
		file, line := fn.FileLine(fn.Entry())
		fmt.Println(m.Name, fn.Name(), path.Base(file), line)
	}
	l := Leaf{new(int)}
	show(l.Down)
	show((*Leaf).Down)
	show((*Leaf).Up)
	show(Root.Down)
	show(fmt.Stringer.String)
}
