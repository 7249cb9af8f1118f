// SPDX-License-Identifier: MIT

// A pool of workers under a deadline: each job takes its time, some fail, and
// when the context ends, what is left is given up.
package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"sync"
	"time"
)

type job struct {
	id   int
	took time.Duration
}

type result struct {
	job
	worker int
	err    error
}

var errUnlucky = errors.New("unlucky")

func do(ctx context.Context, j job) error {
	select {
	case <-time.After(j.took):
	case <-ctx.Done():
		return fmt.Errorf("job %d given up: %w", j.id, ctx.Err())
	}
	if j.id%13 == 0 {
		return fmt.Errorf("job %d: %w", j.id, errUnlucky)
	}
	return nil
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
	defer cancel()

	jobs := make(chan job)
	results := make(chan result)
	var wg sync.WaitGroup
	for w := 1; w <= 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				results <- result{j, w, do(ctx, j)}
			}
		}()
	}
	go func() {
		defer close(jobs)
		for i := 1; i <= 100; i++ {
			took := time.Duration(1+rand.Intn(5)) * time.Millisecond
			select {
			case jobs <- job{i, took}:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		wg.Wait()
		close(results)
	}()

	done, unlucky, late := map[int]int{}, 0, 0
	for r := range results {
		switch {
		case r.err == nil:
			done[r.worker]++
		case errors.Is(r.err, errUnlucky):
			unlucky++
		case errors.Is(r.err, context.DeadlineExceeded):
			late++
		}
	}
	for w := 1; w <= 4; w++ {
		fmt.Printf("worker %d did %d jobs\n", w, done[w])
	}
	fmt.Printf("%d unlucky, %d given up at the deadline\n", unlucky, late)
}
