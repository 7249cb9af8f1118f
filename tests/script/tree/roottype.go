// run
// tree 25
// SPDX-License-Identifier: MIT

// A program that names the type os.Root and opens none.
package main

import (
	"fmt"
	"os"
)

type store struct {
	root *os.Root
	log  *os.File
}

func (s *store) read(name string) (string, error) {
	if s.root != nil {
		b, err := s.root.ReadFile(name)
		return string(b), err
	}
	b, err := os.ReadFile(name)
	return string(b), err
}

func main() {
	s := &store{log: os.Stdout}
	text, err := s.read("/dev/null")
	fmt.Fprintf(s.log, "%q %v %v\n", text, err, s.root)
	p, err := os.FindProcess(os.Getpid())
	fmt.Println(p.Pid == os.Getpid(), err)
}
