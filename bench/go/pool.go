// SPDX-License-Identifier: MIT

// A pool of workers: jobs come by one buffered channel, results go back by
// another.

package main

import (
	"fmt"
	"time"
)

type job struct {
	id, size int
}

type result struct {
	id, sum int
}

func work(jobs <-chan job, results chan<- result) {
	for j := range jobs {
		sum := 0
		for i := 1; i <= j.size; i++ {
			sum += i * j.id % 7
		}
		results <- result{j.id, sum}
	}
}

func main() {
	const workers, n = 8, 1000000
	jobs, results := make(chan job, 100), make(chan result, 100)
	start := time.Now()
	for i := 0; i < workers; i++ {
		go work(jobs, results)
	}
	go func() {
		for i := 0; i < n; i++ {
			jobs <- job{i, i % 20}
		}
		close(jobs)
	}()
	total := 0
	for i := 0; i < n; i++ {
		r := <-results
		total += r.sum ^ r.id&15
	}
	d := time.Since(start)
	fmt.Println(total)
	println("ns/op", d.Nanoseconds()/n)
}
