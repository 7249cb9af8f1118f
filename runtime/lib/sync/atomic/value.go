// SPDX-License-Identifier: MIT

package atomic

// A Value holds a value of any one type; the zero value holds none.
type Value struct {
	// p points to a box that is never written again, so that type and data
	// change together.
	p *box
}

type box struct {
	v any
}

// loadBox and casBox access a Value's pointer; sameType reports
// whether the dynamic types are identical.
//native LoadPointer
//race:atomic load addr
func loadBox(addr **box) *box
//native CompareAndSwapPointer
//race:atomic cas addr
func casBox(addr **box, old, new *box) bool
//race:none
func sameType(a, b any) bool

// Load returns the value stored last, nil if none was.
func (v *Value) Load() (val any) {
	if b := loadBox(&v.p); b != nil {
		return b.v
	}
	return nil
}

// Store sets the value, whose type must always be the same.
func (v *Value) Store(val any) {
	if val == nil {
		panic("sync/atomic: store of nil value into Value")
	}
	b := &box{val}
	for {
		old := loadBox(&v.p)
		if old != nil && !sameType(old.v, val) {
			panic("sync/atomic: store of inconsistently typed value into Value")
		}
		if casBox(&v.p, old, b) {
			return
		}
	}
}

// Swap sets the value and returns the previous one, nil if there was none.
func (v *Value) Swap(new any) (old any) {
	if new == nil {
		panic("sync/atomic: swap of nil value into Value")
	}
	b := &box{new}
	for {
		prev := loadBox(&v.p)
		if prev != nil && !sameType(prev.v, new) {
			panic("sync/atomic: swap of inconsistently typed value into Value")
		}
		if casBox(&v.p, prev, b) {
			if prev == nil {
				return nil
			}
			return prev.v
		}
	}
}

// CompareAndSwap sets the value to new if it is old. It panics if old cannot
// be compared.
func (v *Value) CompareAndSwap(old, new any) (swapped bool) {
	if new == nil {
		panic("sync/atomic: compare and swap of nil value into Value")
	}
	if old != nil && !sameType(old, new) {
		panic("sync/atomic: compare and swap of inconsistently typed values into Value")
	}
	b := &box{new}
	for {
		prev := loadBox(&v.p)
		if prev == nil {
			if old != nil {
				return false
			}
		} else {
			if !sameType(prev.v, new) {
				panic("sync/atomic: compare and swap of inconsistently typed value into Value")
			}
			if prev.v != old {
				return false
			}
		}
		if casBox(&v.p, prev, b) {
			return true
		}
	}
}
