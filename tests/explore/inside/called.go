// needs: net
// calls: us
// outside: somebody who calls
// status: 0
// says: somebody calls: hello
// All wait, and somebody from outside calls, as may be where the plan does not
// say that nobody does.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
)

func main() {
	dir, err := os.MkdirTemp("", "called")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	b, err := io.ReadAll(c)
	if err != nil {
		panic(err)
	}
	fmt.Printf("somebody calls: %s\n", b)
}
