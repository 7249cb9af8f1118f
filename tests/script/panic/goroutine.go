// panic
// SPDX-License-Identifier: MIT

package main

import "fmt"

type server struct{ name string }

func (s *server) handle(n int) {
	if n == 3 {
		panic(fmt.Sprint(s.name, " failed at ", n))
	}
	s.handle(n + 1)
}

func (s *server) start() {
	go s.handle(0)
}

func main() {
	s := &server{"srv"}
	s.start()
	select {}
}
