// run
// SPDX-License-Identifier: MIT

// Types are deeply equal if they are the same.
package main

import (
	"fmt"
	"reflect"
)

type a struct{}
type b struct{}

type holder struct{ t reflect.Type }

func main() {
	x, y := reflect.TypeOf(a{}), reflect.TypeOf(b{})
	fmt.Println(reflect.DeepEqual(x, y), reflect.DeepEqual(x, reflect.TypeOf(a{})))
	fmt.Println(reflect.DeepEqual(holder{x}, holder{y}), reflect.DeepEqual(holder{x}, holder{x}))
	fmt.Println(reflect.DeepEqual(reflect.PointerTo(x), reflect.PointerTo(y)))
	fmt.Println(reflect.DeepEqual([]reflect.Type{x, y}, []reflect.Type{x, y}))
}
