// SPDX-License-Identifier: MIT

// Package synctest has from the runtime what package internal/bubble does. What
// belongs to a bubble package sync knows by itself, so nothing is associated
// here.
package synctest

import "internal/bubble"

func Run(f func()) { bubble.Run(f) }

func Wait() { bubble.Wait() }

func IsInBubble() bool { return bubble.IsIn() }

func acquire() any {
	if b := bubble.Hold(); b != 0 {
		return b
	}
	return nil
}

func release(b any) { bubble.Drop(b.(uintptr)) }

func inBubble(b any, f func()) { bubble.In(b.(uintptr), f) }
