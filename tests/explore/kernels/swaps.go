// end: none
// within: 5
// Many store and swap one atomic.Value at once.  Nobody's operation may have to
// begin again as others come between: by a random schedule that would make more
// points than there is a budget for.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

const workers, each = 100, 50

func main() {
	var v atomic.Value
	var sum atomic.Uint64
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			c := 0
			for k := range each {
				if old := v.Swap(i*each + k); old != nil {
					c += old.(int)
				}
			}
			sum.Add(uint64(c))
		})
	}
	wg.Wait()
	n := workers * each
	if got := int(sum.Load()) + v.Load().(int); got != n*(n-1)/2 {
		fmt.Println("values lost:", got)
		panic("lost")
	}
}
