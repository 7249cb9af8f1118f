// run
// SPDX-License-Identifier: MIT

// unsafe.Pointer has a name and a package.
package main

import (
	"fmt"
	"reflect"
	"unsafe"
)

type my unsafe.Pointer

func main() {
	for _, v := range []any{unsafe.Pointer(nil), my(nil), 1} {
		t := reflect.TypeOf(v)
		fmt.Printf("%q %q %q %v\n", t.Name(), t.PkgPath(), t.String(), t.Kind())
	}
}
