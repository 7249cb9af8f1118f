// SPDX-License-Identifier: MIT

// Package maps copies a map by a function of Go's runtime.
package maps

func Clone[M ~map[K]V, K comparable, V any](m M) M {
	if m == nil {
		return nil
	}
	c := make(M, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}
