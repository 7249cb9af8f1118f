// run
// SPDX-License-Identifier: MIT

// The capacities that append makes, of elements with pointers and without.
package main

import "fmt"

type big struct {
	p *int
	n [5]int
}

var sink any

func grow[T any](name string, n int) {
	var s []T
	var x T
	c := -1
	for i := 0; i < n; i++ {
		s = append(s, x)
		if cap(s) != c {
			c = cap(s)
			fmt.Print(c, " ")
		}
	}
	fmt.Println(name)
	sink = s
}

func main() {
	grow[string]("string", 20000)
	grow[*int]("*int", 20000)
	grow[any]("any", 20000)
	grow[big]("big", 5000)
	grow[int]("int", 20000)
	grow[[]int]("[]int", 9000)
	grow[[3]int32]("[3]int32", 9000)
	for _, k := range []int{1, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 2047, 2048, 4095, 4096} {
		s := append([]string{"a"}, make([]string, k)...)
		t := append([]*int(nil), make([]*int, k)...)
		fmt.Print(cap(s), " ", cap(t), " ")
		sink = s
		sink = t
	}
	fmt.Println()
	for _, x := range []string{"", "a", "hello, world", "0123456789012345678901234567890123456789"} {
		b := []byte(x)
		r := []rune(x)
		fmt.Print(cap(b), " ", cap(r), " ")
		sink = b
		sink = r
	}
	fmt.Println()
}
