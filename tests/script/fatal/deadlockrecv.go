// fatal
// SPDX-License-Identifier: MIT

package main

func wait(c chan int) int { return <-c }

func main() {
	c := make(chan int)
	wait(c)
}
