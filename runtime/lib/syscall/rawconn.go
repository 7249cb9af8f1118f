// SPDX-License-Identifier: MIT

package syscall

// A RawConn gives functions the descriptor of a file or a connection. Read and
// Write wait and call again until the function says that it is done.
type RawConn interface {
	Control(f func(fd uintptr)) error
	Read(f func(fd uintptr) (done bool)) error
	Write(f func(fd uintptr) (done bool)) error
}

// A Conn has a RawConn.
type Conn interface {
	SyscallConn() (RawConn, error)
}
