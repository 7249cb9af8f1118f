// panic
// SPDX-License-Identifier: MIT

package main

func main() {
	var v interface{} = 3
	s := v.(string)
	println(s)
}
