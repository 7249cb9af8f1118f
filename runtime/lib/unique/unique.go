// SPDX-License-Identifier: MIT

// Package unique makes handles for values: handles are equal where the values
// are, and comparing them costs no more than comparing two pointers.
package unique

import (
	"runtime"
	"strings"
	"sync"
	"weak"
)

// A Handle stands for a value of type T.
type Handle[T comparable] struct {
	value *T
}

// Value returns a copy of what h was made of.
func (h Handle[T]) Value() T {
	return *h.value
}

// A key is a value together with its type, which also tells T's apart that
// are interfaces.
type key[T comparable] struct {
	value T
}

// canon has a weak.Pointer[T] for each key[T] of which there are handles.
var canon struct {
	sync.Mutex
	of map[any]any
}

// Make returns the handle of a value. It panics if the value is of an
// interface type and holds what cannot be compared.
func Make[T comparable](value T) Handle[T] {
	k := any(key[T]{value})
	canon.Lock()
	defer canon.Unlock()
	if w, ok := canon.of[k]; ok {
		if p := w.(weak.Pointer[T]).Value(); p != nil {
			return Handle[T]{p}
		}
	}
	// The handle must not keep the large string alive that this one may be
	// part of.
	if s, ok := any(value).(string); ok {
		value = any(strings.Clone(s)).(T)
	}
	p := new(T)
	*p = value
	k = key[T]{value}
	if canon.of == nil {
		canon.of = make(map[any]any)
	}
	delete(canon.of, k) // so that the old string goes, too
	canon.of[k] = weak.Make(p)
	runtime.AddCleanup(p, forget[T], k)
	return Handle[T]{p}
}

// forget removes a key without handles, unless it has some again.
func forget[T comparable](k any) {
	canon.Lock()
	defer canon.Unlock()
	if w, ok := canon.of[k]; ok && w.(weak.Pointer[T]).Value() == nil {
		delete(canon.of, k)
	}
}
