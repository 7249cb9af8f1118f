// errorcheck
// SPDX-License-Identifier: MIT

package main

func f(x int) {
l: // ERROR "label l defined and not used"
	for {
		break m // ERROR "break label not defined: m"
	}
	goto q // ERROR "goto q jumps over declaration of v at branches\.go:12:6"
	var v int
q:
	_ = v
	continue // ERROR "continue is not in a loop"
	{
		goto in // ERROR "goto in jumps into block starting at branches\.go:19:2"
	}
	{
	in:
	}
	fallthrough // ERROR "fallthrough statement out of place"
	switch x {
	case 1:
		fallthrough // ERROR "cannot fallthrough final case in switch"
	}
	func() {
	k: // ERROR "label k defined and not used"
		break // ERROR "break is not in a loop, switch, or select"
	}()
}

func bad() {
	x := = 1 // ERROR "syntax error: unexpected =, expected expression"
k:
}

func g() {
	go func() {
	w:
		a b
	}()
u:
}

func h() {
a:
a:
	if true {
		break a
	}
	select {
	case <-x:
		continue
	}
}
