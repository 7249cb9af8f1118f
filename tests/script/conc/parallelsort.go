// run
// concurrent
// SPDX-License-Identifier: MIT

// Merge sort and a prefix sum with goroutines; recursive parallelism.
package main

import (
	"fmt"
	"sort"
	"sync"
)

func merge(a, b []int) []int {
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out = append(out, a[0])
			a = a[1:]
		} else {
			out = append(out, b[0])
			b = b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func msort(s []int) []int {
	if len(s) <= 32 {
		c := append([]int(nil), s...)
		sort.Ints(c)
		return c
	}
	m := len(s) / 2
	left := make(chan []int)
	go func() { left <- msort(s[:m]) }()
	right := msort(s[m:])
	return merge(<-left, right)
}

func qsort(s []int, wg *sync.WaitGroup) {
	defer wg.Done()
	for len(s) > 16 {
		p := s[len(s)/2]
		i, j := 0, len(s)-1
		for i <= j {
			for s[i] < p {
				i++
			}
			for s[j] > p {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				i++
				j--
			}
		}
		wg.Add(1)
		go qsort(s[:j+1], wg)
		s = s[i:]
	}
	for i := 1; i < len(s); i++ {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

func fib(n int) int {
	if n < 12 {
		if n < 2 {
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	c := make(chan int, 1)
	go func() { c <- fib(n - 1) }()
	return fib(n-2) + <-c
}

func main() {
	const n = 5000
	data := make([]int, n)
	x := uint32(1)
	for i := range data {
		x = x*1664525 + 1013904223
		data[i] = int(x >> 12)
	}
	a := msort(data)
	b := append([]int(nil), data...)
	var wg sync.WaitGroup
	wg.Add(1)
	qsort(b, &wg)
	wg.Wait()
	sort.Ints(data)
	for i := range data {
		if a[i] != data[i] || b[i] != data[i] {
			fmt.Println("differs at", i)
			return
		}
	}
	fmt.Println(sort.IntsAreSorted(a), data[0], data[n/2], data[n-1])
	fmt.Println(fib(20))
	parts := make([]int, 10)
	for p := range parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, v := range data[p*n/10 : (p+1)*n/10] {
				parts[p] += v % 1000
			}
		}()
	}
	wg.Wait()
	total := 0
	for _, p := range parts {
		total += p
	}
	fmt.Println(total)
}
