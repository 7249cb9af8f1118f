package apart

import (
	"sync/atomic"
	"testing"
	"time"
)

// Passes only after TestSets.
var set bool

func TestSets(t *testing.T) { set = true }

func TestCountsOnSets(t *testing.T) {
	if !set {
		t.Fatal("not set")
	}
}

// Leaves a goroutine behind on purpose, and goes on.
func TestLeavesOne(t *testing.T) {
	go func() { <-make(chan int) }()
	time.Sleep(time.Second)
}

// Fails if a second passes while others work.
func TestHasAnEyeOnTheClock(t *testing.T) {
	done := make(chan bool)
	go func() {
		time.Sleep(time.Millisecond)
		done <- true
	}()
	select {
	case <-done:
	case <-time.After(500 * time.Millisecond):
		t.Fatal("hangs")
	}
}

// The same, and a bug besides.
func TestHasBoth(t *testing.T) {
	var n atomic.Int32
	done := make(chan bool, 2)
	for range 2 {
		go func() {
			v := n.Load()
			n.Store(v + 1)
			done <- true
		}()
	}
	for range 2 {
		select {
		case <-done:
		case <-time.After(500 * time.Millisecond):
			t.Fatal("hangs")
		}
	}
	if n.Load() != 2 {
		t.Fatal("lost")
	}
}
