// end: panic or fatal error
// within: 200
// race
// env: GORACE=exitcode=0
// says: panic: lost
// says: it could go on

package main

import "sync"

var x int

func main() {
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			x = x + 1
			wg.Done()
		}()
	}
	wg.Wait()
	if x != 2 {
		panic("lost")
	}
}
