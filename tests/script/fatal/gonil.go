// fatal
// SPDX-License-Identifier: MIT

package main

import "time"

func main() {
	var f func()
	go f()
	time.Sleep(time.Second)
}
