// errorcheck
// SPDX-License-Identifier: MIT

package main

func main() {
again: // ERROR "label again defined and not used"
	for {
		goto total // ERROR "label total not defined"
	}
}

func f() int {
a, b: // ERROR "syntax error: unexpected :, expected := or = or comma"
	for { // ERROR "syntax error: unexpected keyword for at end of statement"
	}
}

func g(x int) {
out:
	for x > 0 {
		switch x {
		case 1:
			func() {
			in: // ERROR "label in defined and not used"
				break out // ERROR "break label not defined: out"
			}()
			continue out
		}
	}
	goto block // ERROR "goto block jumps into block starting at branches2\.go:32:2"
	{
	block:
	}
	goto over // ERROR "goto over jumps over declaration of y at branches2\.go:36:4"
	y := 1
over:
	_ = y
}
