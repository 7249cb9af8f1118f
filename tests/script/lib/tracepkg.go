// run
// concurrent
// traces
// SPDX-License-Identifier: MIT

// Package runtime/trace: what a program sees of it.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
)

type failing struct{ calls int }

func (f *failing) Write(p []byte) (int, error) {
	f.calls++
	return 0, errors.New("no room")
}

// ok says whether b is a whole trace: the header, and some events.
func ok(b *bytes.Buffer) bool {
	return strings.HasPrefix(b.String(), "go 1.") && b.Len() > 100
}

func annotate(ctx context.Context) {
	ctx, task := trace.NewTask(ctx, "order")
	defer task.End()
	trace.Log(ctx, "id", "17")
	trace.Logf(ctx, "size", "%d of %s", 2, "three")
	ran := 0
	trace.WithRegion(ctx, "outer", func() {
		r := trace.StartRegion(ctx, "inner")
		ran++
		r.End()
	})
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sub, t := trace.NewTask(ctx, "part")
			trace.WithRegion(sub, "work", runtime.Gosched)
			t.End()
		}()
	}
	wg.Wait()
	fmt.Println("ran", ran, ctx.Value("x"))
}

// panics shows that a region ends, and the panic goes on.
func panics() (v any) {
	defer func() { v = recover() }()
	trace.WithRegion(context.Background(), "bad", func() { panic("boom") })
	return nil
}

// flight uses the flight recorder, beside traces too.
func flight() {
	cfg := trace.FlightRecorderConfig{MaxBytes: 1 << 20}
	fr, other := trace.NewFlightRecorder(cfg), trace.NewFlightRecorder(cfg)
	n, err := fr.WriteTo(io.Discard)
	fmt.Println(n, err, fr.Enabled(), trace.IsEnabled())
	fr.Stop()
	fmt.Println(fr.Start(), fr.Enabled(), trace.IsEnabled())
	fmt.Println(fr.Start())
	fmt.Println(other.Start(), other.Enabled())
	annotate(context.Background())
	var b bytes.Buffer
	n, err = fr.WriteTo(&b)
	fmt.Println(n == int64(b.Len()), err, ok(&b))
	b.Reset()
	fmt.Println(trace.Start(&b))
	fmt.Println(trace.Start(&b))
	annotate(context.Background())
	var d bytes.Buffer
	fr.WriteTo(&d)
	trace.Stop()
	fmt.Println(ok(&b), ok(&d), trace.IsEnabled(), fr.Enabled())
	_, err = fr.WriteTo(new(failing))
	fmt.Println(err)
	fr.Stop()
	fr.Stop()
	fmt.Println(trace.IsEnabled(), fr.Enabled())
	fmt.Println(other.Start(), trace.IsEnabled())
	other.Stop()
}

func main() {
	if trace.IsEnabled() {
		// By -trace.
		annotate(context.Background())
		fmt.Println(trace.Start(io.Discard))
		return
	}
	fmt.Println("off:", trace.IsEnabled())
	annotate(context.Background())
	fmt.Println(panics())
	trace.Stop() // nothing

	var b bytes.Buffer
	fmt.Println(trace.Start(&b), trace.IsEnabled())
	err := trace.Start(io.Discard)
	fmt.Printf("%v %T\n", err, err)
	annotate(context.Background())
	fmt.Println(panics())
	trace.Stop()
	trace.Stop()
	fmt.Println(trace.IsEnabled(), ok(&b))

	// Again and again, with goroutines that run all the time.
	stop := make(chan bool)
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-stop:
					return
				default:
					trace.WithRegion(context.Background(), "loop",
						runtime.Gosched)
				}
			}
		}()
	}
	whole := 0
	for i := 0; i < 20; i++ {
		var b bytes.Buffer
		if trace.Start(&b) != nil {
			fmt.Println("not started")
		}
		runtime.Gosched()
		trace.Stop()
		if ok(&b) {
			whole++
		}
	}
	close(stop)
	wg.Wait()
	fmt.Println("whole:", whole)

	// Two goroutines at once: one wins, the other is told.
	var mu sync.Mutex
	started, refused := 0, 0
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			err := trace.Start(io.Discard)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				started++
			} else {
				refused++
			}
		}()
	}
	wg.Wait()
	trace.Stop()
	fmt.Println("started", started, "refused", refused)

	// A writer that fails ends nothing.
	f := new(failing)
	fmt.Println(trace.Start(f))
	annotate(context.Background())
	trace.Stop()
	fmt.Println(f.calls > 0, trace.IsEnabled())

	// What is written goes through a pipe to a reader in the program.
	pr, pw := io.Pipe()
	got := make(chan int)
	go func() {
		n, err := io.Copy(io.Discard, pr)
		if err != nil {
			fmt.Println(err)
		}
		got <- int(n)
	}()
	fmt.Println(trace.Start(pw))
	annotate(context.Background())
	trace.Stop()
	pw.Close()
	fmt.Println(<-got > 100)

	flight()

	// Left on: the program ends all the same.
	fmt.Println(trace.Start(io.Discard))
}
