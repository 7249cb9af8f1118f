// end: goroutines left behind
// within: 200
// leaks
// says: chan send

package main

import (
	"context"
	"time"
)

func work(ctx context.Context) error {
	result := make(chan error) // should have room for one
	go func() {
		time.Sleep(time.Millisecond)
		result <- nil
	}()
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	work(ctx)
}
