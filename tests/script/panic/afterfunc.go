// panic
// SPDX-License-Identifier: MIT

package main

import "time"

func late() {
	panic("late")
}

func main() {
	time.AfterFunc(time.Millisecond, late)
	select {}
}
