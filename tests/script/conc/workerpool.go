// run
// concurrent
// SPDX-License-Identifier: MIT

// A pool of workers: jobs in, results out, order restored by index.
package main

import (
	"errors"
	"fmt"
	"sort"
	"sync"
)

type job struct {
	id, n int
}
type result struct {
	id  int
	val int
	err error
}

var errOdd = errors.New("odd multiple of 13")

func work(n int) (v int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("worker: %v", r)
		}
	}()
	if n%13 == 0 && n%2 == 1 {
		return 0, errOdd
	}
	if n == 50 {
		panic("fifty")
	}
	for i := 0; i < n; i++ {
		v += i * i % 7
	}
	return v, nil
}

func main() {
	jobs := make(chan job, 10)
	results := make(chan result)
	var wg sync.WaitGroup
	for w := 0; w < 7; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				v, err := work(j.n)
				results <- result{j.id, v, err}
			}
		}()
	}
	go func() {
		for i := 0; i < 200; i++ {
			jobs <- job{i, i % 60}
		}
		close(jobs)
	}()
	go func() {
		wg.Wait()
		close(results)
	}()
	var all []result
	for r := range results {
		all = append(all, r)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id })
	sum, odd, panics := 0, 0, 0
	for i, r := range all {
		if r.id != i {
			fmt.Println("missing", i)
		}
		switch {
		case errors.Is(r.err, errOdd):
			odd++
		case r.err != nil:
			panics++
			fmt.Println(r.id, r.err)
		default:
			sum += r.val
		}
	}
	fmt.Println(len(all), sum, odd, panics)
}
