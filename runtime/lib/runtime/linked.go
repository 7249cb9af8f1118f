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
//race:none
func typehash(t, p unsafe.Pointer, seed uintptr) uintptr
