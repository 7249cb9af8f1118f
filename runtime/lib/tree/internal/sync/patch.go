// SPDX-License-Identifier: MIT
//go:build go1.24

// Package sync takes the hash of a map's keys, and how its values are compared,
// from the descriptor of a map type, which has neither here.
package sync

import (
	"reflect"
	"unsafe"
)

//go:linkname typehash runtime.typehash
func typehash(t, p unsafe.Pointer, seed uintptr) uintptr

func (ht *HashTrieMap[K, V]) initSlow() {
	ht.initMu.Lock()
	defer ht.initMu.Unlock()
	if ht.inited.Load() != 0 {
		return
	}
	key := reflect.TypeFor[K]()
	descriptor := (*[2]unsafe.Pointer)(unsafe.Pointer(&key))[1]
	ht.root.Store(newIndirectNode[K, V](nil))
	ht.keyHash = func(p unsafe.Pointer, seed uintptr) uintptr {
		return typehash(descriptor, p, seed)
	}
	if reflect.TypeFor[V]().Comparable() {
		ht.valEqual = func(p, q unsafe.Pointer) bool {
			return any(*(*V)(p)) == any(*(*V)(q))
		}
	}
	ht.seed = uintptr(runtime_rand())
	ht.inited.Store(1)
}
