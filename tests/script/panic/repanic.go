// panic
// SPDX-License-Identifier: MIT

package main

import "errors"

func work() {
	defer func() {
		if r := recover(); r != nil {
			panic(r)
		}
	}()
	panic(errors.New("again"))
}

func main() {
	work()
}
