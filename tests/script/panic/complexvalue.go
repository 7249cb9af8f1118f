// panic
// SPDX-License-Identifier: MIT

package main

type wave complex128

type small complex64

func main() {
	defer func() {
		panic(wave(complex(1, -1)))
	}()
	panic(small(complex(0.5, 2)))
}
