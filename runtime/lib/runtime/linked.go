// SPDX-License-Identifier: MIT

package runtime

import "unsafe"

// What packages of Go's library take from package runtime by go:linkname, and
// nobody else can name. A name that is not here is an error where a program
// reaches it.

var (
	overflowError error = errorString("integer overflow")
	divideError   error = errorString("integer divide by zero")
)

// rand is a random number, from a generator that nobody has seeded.
//race:none
func rand() uint64

//native rand
//race:none
func fastrand64() uint64

func fastrand() uint32 { return uint32(rand()) }

//go:linkname fastrandu net.fastrandu
func fastrandu() uint { return uint(rand()) }

func fastrandn(n uint32) uint32 { return uint32(uint64(uint32(rand())) * uint64(n) >> 32) }

// memhash is a hash of n bytes.
//
//go:noescape
//race:reads p:n
func memhash(p unsafe.Pointer, seed, n uintptr) uintptr

// vgetrandom is getrandom without a system call, which there is not.
func vgetrandom(p []byte, flags uint32) (ret int, supported bool) { return -1, false }

// nanotime is the monotonic clock.
//race:none
func nanotime() int64

// cputicks counts at the rate of nobody knows what, like nanotime.
func cputicks() int64 { return nanotime() }

// typehash is the hash that maps take of the value of type t that p points to;
// t is the first word of an interface.
//
//go:noescape
//race:none
func typehash(t, p unsafe.Pointer, seed uintptr) uintptr

// Memory of no type: pointers to it or in it are nobody's business here.

func memclrNoHeapPointers(p unsafe.Pointer, n uintptr) { clear(unsafe.Slice((*byte)(p), n)) }

func memmove(to, from unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(from), n))
}

func memequal(p, q unsafe.Pointer, n uintptr) bool {
	return unsafe.String((*byte)(p), n) == unsafe.String((*byte)(q), n)
}

func strhash(p unsafe.Pointer, seed uintptr) uintptr {
	s := *(*string)(p)
	return memhash(unsafe.Pointer(unsafe.StringData(s)), seed, uintptr(len(s)))
}

func cmpstring(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Iterators of maps, which modules take from here and from package reflect.

//go:linkname mapiterinit reflect.mapiterinit
func mapiterinit(t, m, it unsafe.Pointer)

//go:linkname mapiternext reflect.mapiternext
func mapiternext(it unsafe.Pointer)

func cheaprand() uint32 { return fastrand() }

func cheaprandn(n uint32) uint32 { return fastrandn(n) }

// mallocgc makes memory for what has no pointers, of which alone it can be
// asked: a type of Go's runtime is not one of vole's.
func mallocgc(size uintptr, typ unsafe.Pointer, needzero bool) unsafe.Pointer {
	if typ != nil {
		panic("runtime.mallocgc: for memory without a type only")
	}
	return unsafe.Pointer(unsafe.SliceData(make([]byte, size)))
}
