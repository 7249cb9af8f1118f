// run
// SPDX-License-Identifier: MIT

// Values inside a reflect.Value, and of verbs that do not fit.
package main

import (
	"fmt"
	"io"
	"reflect"
	"regexp"
)

type S struct {
	s string
	i int
	e error
	X any
}
type str string

func (s str) String() string { return "str!" }

type pan struct{}

func (p pan) String() string { panic("x") }

func main() {
	x := 5
	v := S{"a", 1, io.EOF, 7}
	rv := reflect.ValueOf(v)
	rp := reflect.ValueOf(&v).Elem()
	vals := []any{nil, 1, "a", v, &v, str("q"), []str{"z"}, pan{}, rv, rp, rv.Field(0), rv.Field(1), rv.Field(2), rv.Field(3), reflect.ValueOf(str("k")), reflect.ValueOf(&x).Elem(),
		reflect.ValueOf(pan{}), reflect.Value{}, []reflect.Value{rv, rv.Field(0)}, reflect.ValueOf(rv), struct{ V reflect.Value }{rv.Field(1)}, map[string]any{"a": str("b")}, reflect.ValueOf([]byte("hi")), []byte("yo"), [2]bool{}, 1i, 2.5, func() {}}
	pointer := regexp.MustCompile(`0x|c0|[0-9a-f]{6}`)
	for _, verb := range []string{"%v", "%+v", "%#v", "%d", "%s", "%q", "%x", "%p", "%t", "%T", "%z", "%!", "%c", "%U", "%e", "%w", "%5d", "%-5s|", "%05d", "%+q", "%#x", "%# x", "%.1s", "%8.3f"} {
		for i, v := range vals {
			s := fmt.Sprintf(verb, v)
			if pointer.MatchString(s) {
				continue
			}
			fmt.Println(i, verb, s)
		}
	}
}
