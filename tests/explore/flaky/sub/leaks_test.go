package sub

import (
	"testing"
	"time"
)

var block = make(chan int)

func TestLeaves(t *testing.T) {
	go func() { <-block }()
}

func TestEnds(t *testing.T) {
	go time.Sleep(10 * time.Millisecond)
}

func TestTogether(t *testing.T) {
	t.Parallel()
	go func() { block <- <-block }()
}

func TestTogetherToo(t *testing.T) { t.Parallel() }
