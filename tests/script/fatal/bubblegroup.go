// fatal
// SPDX-License-Identifier: MIT

// A WaitGroup belongs to one bubble, or to none.
package main

import (
	"sync"
	"testing"
	"testing/synctest"
)

func main() {
	testing.Main(func(pat, str string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestGroup", F: func(t *testing.T) {
			wg := new(sync.WaitGroup)
			for range 2 {
				// Waiting for it ends that it belongs to the bubble.
				synctest.Test(t, func(*testing.T) {
					wg.Go(func() {})
					wg.Wait()
				})
			}
			wg.Add(1)
			synctest.Test(t, func(*testing.T) {
				go func() { wg.Add(1) }()
				synctest.Wait()
			})
		}}}, nil, nil)
}
