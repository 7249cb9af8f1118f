// SPDX-License-Identifier: MIT

// Package maps has the error of package runtime that Go's maps raise
// themselves, under the name it has there. Every program loads it.
//
//race:off
package maps

// Use64BitHash is what the tests of hash/maphash ask.
const Use64BitHash = true

// An unhashableTypeError is a key that was looked for in an empty map. The VM
// makes it; it begins with a string as the errors of package runtime do.
type unhashableTypeError struct {
	typ string
}

func (e unhashableTypeError) Error() string { return "hash of unhashable type: " + e.typ }
func (e unhashableTypeError) RuntimeError() {}
