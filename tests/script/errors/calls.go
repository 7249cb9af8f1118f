// errorcheck
// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"strings"
)

func g(f func(int) string, c chan<- int) {}

func main() {
	g(func(s string) string { return s }, nil)   // ERROR "cannot use func"
	g(func(int) string { return "" }, make(<-chan int)) // ERROR "cannot use make"
	fmt.Println(strings.Repeat("a", "b"))        // ERROR "cannot use .b. .untyped string constant. as int value in argument to strings.Repeat"
	var p *[]int
	p[0] = 1          // ERROR "cannot index p"
	for range p {     // ERROR "cannot range over p"
	}
	len(1, 2)         // ERROR "too many arguments|invalid argument|not enough"
	_ = append(1, 2)  // ERROR "argument must be a slice"
	_ = make(int)     // ERROR "cannot make int"
	_ = cap(map[int]int{}) // ERROR "invalid argument"
	delete(p, 1)      // ERROR "not a map"
}
