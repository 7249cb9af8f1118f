// run
// concurrent
// SPDX-License-Identifier: MIT

// Contexts: cancellation, deadlines, values, causes, trees.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

type key string
type key2 string

func worker(ctx context.Context, n int, out chan<- int) error {
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case out <- n:
		}
	}
}

func main() {
	bg := context.Background()
	fmt.Println(bg, context.TODO(), bg.Err(), bg.Done() == nil, bg.Value("x"))
	ctx, cancel := context.WithCancel(bg)
	fmt.Println(ctx.Err())
	out := make(chan int)
	errs := make(chan error, 4)
	for i := 0; i < 4; i++ {
		go func() { errs <- worker(ctx, i, out) }()
	}
	for i := 0; i < 20; i++ {
		<-out
	}
	cancel()
	cancel()
	for i := 0; i < 4; i++ {
		if err := <-errs; !errors.Is(err, context.Canceled) {
			fmt.Println(err)
		}
	}
	fmt.Println(ctx.Err(), context.Cause(ctx))

	tctx, tcancel := context.WithTimeout(bg, 3*time.Millisecond)
	defer tcancel()
	<-tctx.Done()
	fmt.Println(tctx.Err(), errors.Is(tctx.Err(), context.DeadlineExceeded), tctx.Err() == context.DeadlineExceeded)
	_, has := tctx.Deadline()
	_, has2 := ctx.Deadline()
	fmt.Println(has, has2)
	dctx, dcancel := context.WithDeadline(bg, time.Now().Add(-time.Second))
	fmt.Println(dctx.Err())
	dcancel()
	long, lcancel := context.WithTimeout(bg, time.Hour)
	short, scancel := context.WithTimeout(long, time.Minute)
	d1, _ := long.Deadline()
	d2, _ := short.Deadline()
	fmt.Println(d2.Before(d1), short.Err())
	lcancel()
	<-short.Done()
	fmt.Println(short.Err(), long.Err())
	scancel()

	v := context.WithValue(context.WithValue(bg, key("a"), 1), key2("a"), "two")
	v2 := context.WithValue(v, key("a"), 3)
	child, ccancel := context.WithCancel(v2)
	fmt.Println(v.Value(key("a")), v.Value(key2("a")), v2.Value(key("a")), child.Value(key2("a")), child.Value("a"))
	ccancel()

	cc, cause := context.WithCancelCause(bg)
	sub, subCancel := context.WithCancel(cc)
	cause(errors.New("my reason"))
	<-sub.Done()
	fmt.Println(cc.Err(), context.Cause(cc), sub.Err(), context.Cause(sub))
	subCancel()

	// A tree of contexts: cancelling a node ends exactly its subtree.
	root, rcancel := context.WithCancel(bg)
	var wg sync.WaitGroup
	var cancels []context.CancelFunc
	ended := make([]bool, 12)
	var mu sync.Mutex
	for i := 0; i < 3; i++ {
		mid, mc := context.WithCancel(root)
		cancels = append(cancels, mc)
		for j := 0; j < 4; j++ {
			leaf, lc := context.WithCancel(mid)
			wg.Add(1)
			go func() {
				defer wg.Done()
				defer lc()
				<-leaf.Done()
				mu.Lock()
				ended[i*4+j] = true
				mu.Unlock()
			}()
		}
	}
	cancels[1]()
	for {
		mu.Lock()
		n := 0
		for _, e := range ended[4:8] {
			if e {
				n++
			}
		}
		mu.Unlock()
		if n == 4 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(ended)
	rcancel()
	wg.Wait()
	fmt.Println(ended)
	stopped := make(chan bool, 1)
	actx, acancel := context.WithCancel(bg)
	stop := context.AfterFunc(actx, func() { stopped <- true })
	acancel()
	fmt.Println(<-stopped, stop())
	func() {
		defer func() { fmt.Println(recover()) }()
		context.WithValue(bg, nil, 1)
	}()
}
