// SPDX-License-Identifier: MIT

package syscall

import "unsafe"

// Protection and flags of Mmap.
const (
	PROT_NONE     = 0x0
	PROT_READ     = 0x1
	PROT_WRITE    = 0x2
	PROT_EXEC     = 0x4
	MAP_SHARED    = 0x1
	MAP_PRIVATE   = 0x2
	MAP_FIXED     = 0x10
	MAP_ANON      = 0x20
	MAP_ANONYMOUS = 0x20
	MAP_NORESERVE = 0x4000
	MAP_POPULATE  = 0x8000
)

// Natives return an error number, 0 if all went well.

//race:none
func mmap(length, prot, flags, fd int, offset int64) (p unsafe.Pointer, errno int)

//race:none
func munmap(p unsafe.Pointer, length int) (errno int)

//race:none
func mprotect(p unsafe.Pointer, length, prot int) (errno int)

// result is an error number as an error.
func result(errno int) error {
	if errno == 0 {
		return nil
	}
	return Errno(errno)
}

// Mmap maps a part of a file, or new memory, which must hold no pointers to
// memory of the program.
func Mmap(fd int, offset int64, length int, prot int, flags int) (data []byte, err error) {
	if length <= 0 {
		return nil, EINVAL
	}
	p, errno := mmap(length, prot, flags, fd, offset)
	if errno != 0 {
		return nil, Errno(errno)
	}
	return unsafe.Slice((*byte)(p), length), nil
}

// Munmap undoes Mmap, whose result b is.
func Munmap(b []byte) (err error) {
	if len(b) == 0 || len(b) != cap(b) {
		return EINVAL
	}
	return result(munmap(unsafe.Pointer(&b[0]), len(b)))
}

// Mprotect changes the protection of the pages of b.
func Mprotect(b []byte, prot int) (err error) {
	var p unsafe.Pointer
	if len(b) > 0 {
		p = unsafe.Pointer(&b[0])
	}
	return result(mprotect(p, len(b), prot))
}
