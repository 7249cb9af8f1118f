// panic
// SPDX-License-Identifier: MIT

package main

import "fmt"

type myErr struct{ code int }

func (e *myErr) Error() string { return fmt.Sprintf("my error\nwith code %d", e.code) }

func f() { panic(&myErr{5}) }

func main() {
	f()
}
