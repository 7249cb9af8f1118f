// run
// tree

// Package syscall: vole's own part of it is used by package os, the rest comes
// from a tree of Go's sources, and both are one package.
package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"syscall"
)

func main() {
	var st syscall.Stat_t
	err := syscall.Stat("/etc/passwd", &st)
	fmt.Println(err, st.Mode&syscall.S_IFMT == syscall.S_IFREG, st.Size > 0)
	var p [2]int
	fmt.Println(syscall.Pipe(p[:]))
	n, err := syscall.Write(p[1], []byte("hello"))
	fmt.Println(n, err)
	b := make([]byte, 10)
	n, err = syscall.Read(p[0], b)
	fmt.Println(n, err, string(b[:n]))
	fmt.Println(syscall.Close(p[0]), syscall.Close(p[1]), syscall.Close(p[1]))

	_, err = syscall.Open("/no/such/file", syscall.O_RDONLY, 0)
	fmt.Println(err, err == syscall.ENOENT, os.IsNotExist(err), errors.Is(err, fs.ErrNotExist))
	_, err = os.Open("/no/such/file")
	fmt.Println(errors.Is(err, syscall.ENOENT))

	fmt.Println(syscall.Setenv("VOLE_TEST", "1"), os.Getenv("VOLE_TEST"))
	os.Setenv("VOLE_TEST", "2")
	fmt.Println(syscall.Getenv("VOLE_TEST"))
	fmt.Println(syscall.Setenv("", "x"), syscall.Unsetenv("VOLE_TEST"))
	fmt.Println(syscall.Getenv("VOLE_TEST"))
	fmt.Println(syscall.Getpid() == os.Getpid(), syscall.Getuid() == os.Getuid())
	var u syscall.Utsname
	fmt.Println(syscall.Uname(&u), u.Sysname[0] == 'L')
	_, _, e := syscall.Syscall(syscall.SYS_GETPID, 0, 0, 0)
	fmt.Println(e, syscall.SIGUSR1, syscall.EAGAIN.Temporary())

	key := make([]byte, 16)
	n, err = rand.Read(key)
	fmt.Println(n, err)
	q, err := rand.Int(rand.Reader, big.NewInt(1))
	fmt.Println(q, err)
}
