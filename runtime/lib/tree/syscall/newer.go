// SPDX-License-Identifier: MIT

//go:build go1.21

package syscall

import "sync"

// hasWaitingReaders would let those through who wait to open files while one
// process after the other is started; vole's RWMutex does not tell. They wait
// until no start is under way.
func hasWaitingReaders(rw *sync.RWMutex) bool { return false }
