// SPDX-License-Identifier: MIT

package main

import "fmt"

func quicksort(a []int, lo, hi int) {
	for lo < hi {
		p := a[(lo+hi)/2]
		i, j := lo, hi
		for i <= j {
			for a[i] < p {
				i++
			}
			for a[j] > p {
				j--
			}
			if i <= j {
				a[i], a[j] = a[j], a[i]
				i++
				j--
			}
		}
		quicksort(a, lo, j)
		lo = i
	}
}

func main() {
	const n = 1500000
	a := make([]int, n)
	x := 42
	for i := range a {
		x = (x*16807 + 7) % 2147483647
		a[i] = x
	}
	quicksort(a, 0, n-1)
	for i := 1; i < n; i++ {
		if a[i-1] > a[i] {
			panic("not sorted")
		}
	}
	fmt.Println(a[0], a[n/2], a[n-1])
}
