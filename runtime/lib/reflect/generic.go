// SPDX-License-Identifier: MIT

package reflect

// TypeFor returns the Type of T.
func TypeFor[T any]() Type {
	return TypeOf((*T)(nil)).Elem()
}

// TypeAssert is v.Interface().(T), and reports whether v holds a T.
func TypeAssert[T any](v Value) (T, bool) {
	if !v.IsValid() {
		panic(&ValueError{"reflect.TypeAssert", Invalid})
	}
	t, ok := v.Interface().(T)
	return t, ok
}
