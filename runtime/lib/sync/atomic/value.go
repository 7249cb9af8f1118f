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

// loadBox, casBox and swapBox access a Value's pointer; sameType reports
// whether the dynamic types are identical.
//native LoadPointer
//race:atomic load addr
func loadBox(addr **box) *box
//native CompareAndSwapPointer
//race:atomic cas addr
func casBox(addr **box, old, new *box) bool
//native SwapPointer
//race:atomic rmw addr
func swapBox(addr **box, new *box) *box
//race:none
func sameType(a, b any) bool

// exchange puts a box there and returns the one before, nil if there was none.
// Who is the first settles the type, in one step with the value; it stays, so
// that all others need not look at what comes between. ok is false, and nothing
// is done, if the type is not the same.
func (v *Value) exchange(b *box) (old *box, ok bool) {
	old = loadBox(&v.p)
	if old == nil {
		if casBox(&v.p, nil, b) {
			return nil, true
		}
		old = loadBox(&v.p)
	}
	if !sameType(old.v, b.v) {
		return old, false
	}
	return swapBox(&v.p, b), true
}

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
	if _, ok := v.exchange(&box{val}); !ok {
		panic("sync/atomic: store of inconsistently typed value into Value")
	}
}

// Swap sets the value and returns the previous one, nil if there was none.
func (v *Value) Swap(new any) (old any) {
	if new == nil {
		panic("sync/atomic: swap of nil value into Value")
	}
	prev, ok := v.exchange(&box{new})
	if !ok {
		panic("sync/atomic: swap of inconsistently typed value into Value")
	}
	if prev == nil {
		return nil
	}
	return prev.v
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
