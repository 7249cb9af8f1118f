// errorcheck
// SPDX-License-Identifier: MIT

// Generic types that contain themselves, methods on instances.

package main

type hold[P any] struct{ p P }

type ptr[P any] struct{ p *P }

type self struct{ h hold[self] } // ERROR "invalid recursive type self"

type fine struct{ h ptr[fine] }

type grow[P any] struct{ g grow[[]P] } // ERROR "invalid recursive type: grow refers to itself"

type deep[P any] struct{ g *deep[[]P] }

type ring1[P any] struct{ r ring2[P] } // ERROR "invalid recursive type ring2"

type ring2[P any] [2]ring1[P]

type node[P any] list[P]

type list[P any] struct {
	n *node[P]
	p P
}

type alias = hold[int]

func (a alias) m() {} // ERROR "cannot define new methods on instantiated type hold\[int\]"

type (
	loop1[P any] loop2[P] // ERROR "invalid recursive type loop2"
	loop2[P any] loop1[P]
)

func main() {
	var n node[int]
	n.n.n.p = 1
	n.n.n.p = "" // ERROR "cannot use .. \(untyped string constant\) as int value in assignment"
	var h hold[hold[hold[string]]]
	h.p.p.p = 1 // ERROR "cannot use 1 \(untyped int constant\) as string value in assignment"
	switch any(n).(type) {
	case hold[int], hold[string], hold[int]: // ERROR "duplicate case hold\[int\] in type switch"
	case list: // ERROR "cannot use generic type list\[P any\] without instantiation"
	}
}
