// run
// SPDX-License-Identifier: MIT

// The names of the bodies of loops over functions, and of function literals
// around and inside of them.
package main

import (
	"fmt"
	"runtime"
)

func who() {
	pc, _, _, _ := runtime.Caller(1)
	fmt.Println(runtime.FuncForPC(pc).Name())
}

//go:noinline
func once(y func() bool) { y() }

//go:noinline
func one(y func(int) bool) { y(1) }

//go:noinline
func lit(f func()) { f() }

//go:noinline
func value(f func() int) int { return f() }

type T struct{}

//go:noinline
func (*T) method() {
	for range once {
		who()
		lit(func() { who() })
	}
}

func main() {
	lit(func() { who() })
	for range once {
		who()
		defer func() { who() }()
		for range one {
			who()
			lit(func() {
				who()
				for range once {
					who()
					lit(func() { who() })
				}
			})
		}
		lit(func() { who() })
	}
	for i := value(func() int { who(); return 0 }); i < 1; i += value(func() int { who(); return 1 }) {
		lit(func() { who() })
	}
	for range one {
		who()
		lit(func() { who() })
	}
	lit(func() {
		who()
		for range once {
			who()
			lit(func() { who(); lit(func() { who() }) })
		}
		lit(func() { who() })
	})
	new(T).method()
}
