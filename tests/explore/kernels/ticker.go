// end: none
// A loop whose ticker is always ready, and which others ask to stop. A select
// that took its first ready case each time would never see them.

package main

import (
	"sync"
	"time"
)

func main() {
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		t := time.NewTicker(time.Nanosecond)
		defer t.Stop()
		for {
			select {
			case <-t.C:
			case <-stop:
				return
			}
		}
	}()
	stop <- true
	wg.Wait()
}
