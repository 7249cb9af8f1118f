// panic
// SPDX-License-Identifier: MIT

package main

func head(s []byte) [4]byte { return [4]byte(s) }

func main() {
	println(head([]byte("abc"))[0])
}
