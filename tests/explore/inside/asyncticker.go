// Tickers with a buffer, which go on although nobody reads them: their phase
// stays, a value that nobody has read is the oldest, and an hour of a ticker of
// a nanosecond is no longer than one of a second.
// status: 0
// says: hour old, then new
// says: phase kept, 0 more
// says: filled again 1
// says: reset 1
// says: select old old
// says: stopped 1 0

//go:debug asynctimerchan=1

package main

import (
	"fmt"
	"sync"
	"time"
)

// Whether a value was sent in the first half of a sleep of d, or behind it.
func age(start, sent time.Time, d time.Duration) string {
	switch took := sent.Sub(start); {
	case took < d/2:
		return "old"
	case took > d:
		return "new"
	default:
		return "neither"
	}
}

func main() {
	start := time.Now()
	fast := time.NewTicker(1)
	time.Sleep(time.Hour)
	old := age(start, <-fast.C, time.Hour)
	fmt.Printf("hour %s, then %s\n", old, age(start, <-fast.C, time.Hour))
	fast.Stop()

	const period = 10 * time.Millisecond
	t := time.NewTicker(period)
	time.Sleep(35 * time.Millisecond)
	a, b, c := <-t.C, <-t.C, <-t.C
	if b.Sub(a)%period == 0 && b.Sub(a) >= 3*period && c.Sub(b)%period == 0 {
		fmt.Printf("phase kept, %d more\n", len(t.C))
	} else {
		fmt.Println("phase", b.Sub(a), c.Sub(b))
	}

	// Once one is taken, the next comes though nobody waits.
	time.Sleep(25 * time.Millisecond)
	<-t.C
	time.Sleep(25 * time.Millisecond)
	fmt.Println("filled again", len(t.C))
	<-t.C
	t.Reset(2 * time.Millisecond)
	<-t.C
	time.Sleep(9 * time.Millisecond)
	fmt.Println("reset", len(t.C))

	var wg sync.WaitGroup
	var at [2]string
	for i := range at {
		wg.Add(1)
		go func() {
			defer wg.Done()
			start := time.Now()
			other := time.NewTicker(20 * time.Millisecond)
			defer other.Stop()
			time.Sleep(time.Minute)
			select {
			case v := <-other.C:
				at[i] = age(start, v, time.Minute)
			case <-time.After(time.Hour):
			}
		}()
	}
	wg.Wait()
	fmt.Println("select", at[0], at[1])

	t.Stop()
	n := len(t.C)
	<-t.C
	time.Sleep(time.Second)
	fmt.Println("stopped", n, len(t.C))
}
