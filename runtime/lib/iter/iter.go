// SPDX-License-Identifier: MIT

// Package iter names the functions that a for-range loop may run over, and
// turns them into pairs of functions to be called by hand.
package iter

// Seq is an iterator over single values: it calls yield for each until that
// returns false.
type Seq[V any] func(yield func(V) bool)

// Seq2 is an iterator over pairs of values.
type Seq2[K, V any] func(yield func(K, V) bool)

// Pull starts no iteration yet: the first next() does. next returns the next
// value, or the zero value and false after the last one; stop ends the
// iteration early and may be called at any time. The two must not be called by
// several goroutines at once.
func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	var v V // the value that is handed over
	var p *puller
	p = newPuller(func() {
		seq(func(x V) bool {
			v = x
			return p.yield()
		})
	})
	next = func() (V, bool) {
		var zero V
		if !p.resume() {
			return zero, false
		}
		x := v
		v = zero
		return x, true
	}
	return next, p.stop
}

// Pull2 is Pull for pairs.
func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	var k K
	var v V
	var p *puller
	p = newPuller(func() {
		seq(func(x K, y V) bool {
			k, v = x, y
			return p.yield()
		})
	})
	next = func() (K, V, bool) {
		var noKey K
		var noValue V
		if !p.resume() {
			return noKey, noValue, false
		}
		x, y := k, v
		k, v = noKey, noValue
		return x, y, true
	}
	return next, p.stop
}
