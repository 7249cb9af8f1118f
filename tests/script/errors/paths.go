// errorcheck
// SPDX-License-Identifier: MIT

package main

import (
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

func main() {
	var mu sync.Mutex
	mu.Foo() // ERROR "mu\.Foo undefined \(type .sync.\.Mutex has no field or method Foo\)"
	var n atomic.Int32
	n.Foo() // ERROR "n\.Foo undefined \(type .sync/atomic.\.Int32 has no field or method Foo\)"
	var e strconv.NumError
	e.Foo() // ERROR "e\.Foo undefined \(type .strconv.\.NumError has no field or method Foo\)"
	var b strings.Builder
	b.Foo() // ERROR "b\.Foo undefined \(type strings\.Builder has no field or method Foo\)"
	var r fs.PathError
	r.Foo() // ERROR "r\.Foo undefined \(type fs\.PathError has no field or method Foo\)"
	var x int = mu // ERROR "declared and not used: x" "cannot use mu \(variable of struct type .sync.\.Mutex\) as int value in variable declaration"
	var y *sync.WaitGroup = &b // ERROR "declared and not used: y" "cannot use &b \(value of type \*strings\.Builder\) as \*.sync.\.WaitGroup value in variable declaration"
}
