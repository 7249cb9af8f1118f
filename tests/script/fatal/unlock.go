// fatal
// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"sync"
)

func main() {
	defer func() { fmt.Println("not recoverable", recover()) }()
	var mu sync.Mutex
	mu.Unlock()
}
