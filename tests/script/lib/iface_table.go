// run
// SPDX-License-Identifier: MIT

// Libraries read the type of what an interface with methods holds where Go has
// it: in the second word of what the interface's first points to.
package main

import (
	"errors"
	"fmt"
	"reflect"
	"time"
	"unsafe"
)

type plain struct{ typ, data unsafe.Pointer }

type table struct {
	tab  *struct{ inter, typ unsafe.Pointer }
	data unsafe.Pointer
}

type number int

func (n number) String() string { return "number" }

type pair struct{ a, b int }

func (p *pair) String() string { return "pair" }
func (p pair) Error() string   { return "pair's error" }

type both[T any] struct {
	pair
	more T
}

func same(any any, tab unsafe.Pointer) bool {
	p, t := (*plain)(unsafe.Pointer(&any)), (*table)(tab)
	return p.typ == t.tab.typ && reflect.TypeOf(*(*interface{})(unsafe.Pointer(&plain{typ: t.tab.typ}))) == reflect.TypeOf(any)
}

func main() {
	for _, s := range []fmt.Stringer{number(3), &pair{1, 2}, time.Second, reflect.TypeOf(0), new(both[string])} {
		fmt.Printf("%T %v\n", s, same(s, unsafe.Pointer(&s)))
	}
	for _, e := range []error{errors.New("x"), pair{3, 4}, both[int]{}, fmt.Errorf("%w", errors.ErrUnsupported)} {
		fmt.Printf("%T %v\n", e, same(e, unsafe.Pointer(&e)))
	}
	t := reflect.PointerTo(reflect.ArrayOf(2, reflect.TypeFor[pair]())).Elem().Elem()
	s := reflect.New(t).Interface().(fmt.Stringer)
	fmt.Println(same(s, unsafe.Pointer(&s)))
}
