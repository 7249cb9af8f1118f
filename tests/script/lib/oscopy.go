// run

// A writer that reads from a file by itself can see that it is one: package net
// leaves the copying to the system then.
package main

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

type sink struct{ io.Writer }

func (s sink) ReadFrom(r io.Reader) (int64, error) {
	c, isFile := r.(interface {
		SyscallConn() (syscall.RawConn, error)
	})
	_, writes := r.(io.WriterTo)
	fmt.Println(isFile, writes)
	if isFile {
		_, err := c.SyscallConn()
		fmt.Println(err)
	}
	return io.Copy(s.Writer, r)
}

func main() {
	f, err := os.CreateTemp("", "vole")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	fmt.Fprintln(f, "a line")
	f.Seek(2, 0)
	fmt.Println(io.Copy(sink{os.Stdout}, f))
	f.Seek(2, 0)
	fmt.Println(f.WriteTo(sink{os.Stdout}))
}
