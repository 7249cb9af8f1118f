// run
// SPDX-License-Identifier: MIT

// Maps changed while they are iterated over: what the language promises.
package main

import "fmt"

func main() {
	// Every entry that is neither added nor removed comes exactly once.
	for _, size := range []int{1, 7, 8, 9, 64, 100, 1000} {
		m := map[int]int{}
		for i := 0; i < size; i++ {
			m[i] = i
		}
		seen := map[int]int{}
		grown := 0
		for k := range m {
			seen[k]++
			if grown < 5*size {
				m[100000+grown] = 0
				grown++
			}
		}
		for i := 0; i < size; i++ {
			if seen[i] != 1 {
				fmt.Println("size", size, "key", i, "seen", seen[i])
			}
		}
		for k, n := range seen {
			if n != 1 {
				fmt.Println("size", size, "key", k, "seen", n)
			}
		}
	}

	// A removed entry that was not reached does not come.
	for round := 0; round < 20; round++ {
		m := map[int]bool{}
		for i := 0; i < 200; i++ {
			m[i] = true
		}
		removed := map[int]bool{}
		for k := range m {
			if removed[k] {
				fmt.Println("removed key came", k)
			}
			for j := 0; j < 5; j++ {
				x := (k*31 + j*17 + round) % 200
				if x != k {
					delete(m, x)
					removed[x] = true
				}
			}
		}
	}

	// Deleting everything during iteration ends with an empty map.
	m := map[string]int{}
	for i := 0; i < 300; i++ {
		m[fmt.Sprint(i)] = i
	}
	n := 0
	for k := range m {
		delete(m, k)
		n++
	}
	fmt.Println(n, len(m))

	// Clearing during iteration stops it.
	for i := 0; i < 50; i++ {
		m[fmt.Sprint(i)] = i
	}
	n = 0
	for range m {
		clear(m)
		n++
	}
	fmt.Println(n, len(m))

	// Values updated in the loop are seen when their turn comes.
	u := map[int]int{}
	for i := 0; i < 100; i++ {
		u[i] = 1
	}
	for k, v := range u {
		if v == 1 {
			u[k] = 2
		}
		for j := range u {
			if u[j] == 1 {
				u[j] = 3
				break
			}
		}
	}
	total := 0
	for _, v := range u {
		if v < 2 || v > 3 {
			fmt.Println("value", v)
		}
		total++
	}
	fmt.Println(total)

	// The order differs between iterations.
	o := map[int]int{}
	for i := 0; i < 50; i++ {
		o[i] = i
	}
	first := func() int {
		for k := range o {
			return k
		}
		return -1
	}
	orders := map[int]bool{}
	for i := 0; i < 200; i++ {
		orders[first()] = true
	}
	fmt.Println(len(orders) > 5)

	// Nested iteration over the same map, with growth in between.
	c := 0
	g := map[int]int{1: 1, 2: 2, 3: 3}
	for range g {
		for range g {
			c++
		}
	}
	fmt.Println(c)
	for k, v := range map[string][]int{"a": {1, 2}} {
		v[0] = 100
		fmt.Println(k, v)
	}
	churn := map[int]int{}
	for i := 0; i < 100000; i++ {
		churn[i] = i
		delete(churn, i-10)
	}
	sum := 0
	for k := range churn {
		sum += k
	}
	fmt.Println(len(churn), sum)
}
