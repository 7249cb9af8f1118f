package flaky

import (
	"sync"
	"testing"
	"time"
)

// The update is in two halves: with the other goroutine between them it is
// lost.
func TestLostUpdate(t *testing.T) {
	var mu sync.Mutex
	var done sync.WaitGroup
	x := 0
	add := func() {
		defer done.Done()
		mu.Lock()
		old := x
		mu.Unlock()
		mu.Lock()
		x = old + 1
		mu.Unlock()
	}
	done.Add(2)
	go add()
	go add()
	done.Wait()
	if x != 2 {
		t.Errorf("x = %d, want 2", x)
	}
}

func TestRight(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	if <-c != 1 {
		t.Error("it is another one")
	}
}

// Two ways to fail.
func TestTwice(t *testing.T) {
	c := make(chan int, 3)
	var done sync.WaitGroup
	for i := range 3 {
		done.Add(1)
		go func() {
			c <- i
			done.Done()
		}()
	}
	done.Wait()
	switch <-c {
	case 1:
		t.Error("one is first")
	case 2:
		t.Error("two is first")
	}
}

func TestParts(t *testing.T) {
	t.Run("good", func(t *testing.T) {})
	t.Run("crossed", func(t *testing.T) {
		var a, b sync.Mutex
		done := make(chan bool)
		go func() {
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
			done <- true
		}()
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
		<-done
	})
}

// Time is virtual: an hour takes none.
func TestLong(t *testing.T) {
	begin := time.Now()
	time.Sleep(time.Hour)
	if time.Since(begin) < time.Hour {
		t.Error("too short")
	}
}
