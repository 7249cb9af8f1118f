package racy

import "testing"

// Right by each schedule, but for the race.
func TestRaces(t *testing.T) {
	x := 0
	done := make(chan bool)
	go func() {
		x = 1
		done <- true
	}()
	x = 2
	<-done
	if x == 0 {
		t.Error("x is 0")
	}
}
