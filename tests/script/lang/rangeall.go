// run
// SPDX-License-Identifier: MIT

// Range over everything that is not a function.
package main

import (
	"fmt"
	"sort"
)

type myInt int8

func get() []int { fmt.Print("(once) "); return []int{1, 2, 3} }

func main() {
	for i, c := range "aé世\xff\U0001F600z" {
		fmt.Print(i, ":", c, " ")
	}
	fmt.Println()
	for i := range "é!" {
		fmt.Print(i, " ")
	}
	for range "abc" {
		fmt.Print(".")
	}
	fmt.Println()

	arr := [3]int{1, 2, 3}
	for i, v := range arr { // works on a copy
		arr[2] = 10
		fmt.Print(i, v, " ")
	}
	for i, v := range &arr { // works on the array itself
		arr[2] = 20
		fmt.Print(i, v, " ")
	}
	fmt.Println()
	sl := []int{1, 2, 3}
	for i, v := range sl {
		sl = append(sl, v)
		sl[2] = 30
		fmt.Print(i, v, " ")
	}
	fmt.Println(len(sl), sl)
	for i := range get() {
		fmt.Print(i)
	}
	fmt.Println()
	var np *[4]int
	for i := range np {
		fmt.Print(i, " ")
	}
	fmt.Println(len(np))

	m := map[string]int{"x": 1, "y": 2, "z": 3}
	var keys []string
	for k, v := range m {
		keys = append(keys, fmt.Sprint(k, v))
	}
	sort.Strings(keys)
	fmt.Println(keys)
	for k := range m {
		delete(m, k)
	}
	fmt.Println(len(m))
	var nm map[int]int
	for range nm {
		panic("never")
	}
	var ns []string
	for range ns {
		panic("never")
	}

	ch := make(chan int, 5)
	for i := range 5 {
		ch <- i * i
	}
	close(ch)
	for v := range ch {
		fmt.Print(v, " ")
	}
	for range ch {
		panic("never")
	}
	fmt.Println()

	for i := range myInt(3) {
		fmt.Printf("%T%v ", i, i)
	}
	for range -5 {
		panic("never")
	}
	const c = 4
	for i := range c {
		fmt.Print(i, " ")
	}
	n := 3
	for i := range n {
		n = 10
		i += 5
		fmt.Print(i, " ")
	}
	fmt.Println()

	var st struct {
		k int
		v [2]string
	}
	for st.k, st.v[1] = range []string{"p", "q"} {
	}
	fmt.Println(st)
	var x [2]int
	for i, x[i] = range []int{7, 8} {
	}
	fmt.Println(x, i)
	for _, row := range [][]int{{1}, {2, 3}, nil} {
		for _, v := range row {
			fmt.Print(v)
		}
		fmt.Print(";")
	}
	for _, b := range []byte("hi") {
		fmt.Print(b, " ")
	}
	for _, r := range []rune("hé") {
		fmt.Print(string(r), " ")
	}
	fmt.Println()
}

var i int
