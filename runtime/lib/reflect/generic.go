// SPDX-License-Identifier: MIT

package reflect

import "internal/rt"

// TypeFor returns the Type of T.
func TypeFor[T any]() Type {
	return TypeOf((*T)(nil)).Elem()
}

// TypeAssert is v.Interface().(T).
func TypeAssert[T any](v Value) (T, bool) {
	if v.t == nil {
		panic(&ValueError{"reflect.TypeAssert", Invalid})
	}
	if v.flag&flagRO != 0 {
		panic("reflect.TypeAssert: cannot return value obtained from unexported field or method")
	}
	x, ok := rt.Make(v.t, v.addr()).(T)
	return x, ok
}
