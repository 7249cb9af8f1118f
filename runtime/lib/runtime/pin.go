// SPDX-License-Identifier: MIT

package runtime

import "internal/rt"

// A Pinner keeps objects where they are. No object moves here, so it has to
// keep them alive only.
type Pinner struct {
	pinned []any
}

// Pin pins the object that pointer points to until Unpin.
func (p *Pinner) Pin(pointer any) {
	if pointer == nil {
		panic(errorString("runtime.Pinner: argument is nil"))
	}
	t := rt.TypeOf(pointer)
	if k := rt.KindOf(t); k != rt.Pointer && k != rt.UnsafePointer {
		panic(errorString("runtime.Pinner: argument is not a pointer: " + rt.TypeString(t)))
	}
	p.pinned = append(p.pinned, pointer)
}

// Unpin lets go of all that Pin has pinned.
func (p *Pinner) Unpin() { p.pinned = nil }

// SetDefaultGOMAXPROCS sets GOMAXPROCS to what it is without the variable of
// the environment.
func SetDefaultGOMAXPROCS() { GOMAXPROCS(NumCPU()) }
