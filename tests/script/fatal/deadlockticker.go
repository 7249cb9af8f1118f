// fatal
// SPDX-License-Identifier: MIT

// A ticker for which nobody waits wakes nobody up.
package main

import "time"

func main() {
	k := time.NewTicker(time.Millisecond)
	<-k.C
	<-k.C
	time.NewTimer(time.Hour)
	select {}
}
