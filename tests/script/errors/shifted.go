// errorcheck
// SPDX-License-Identifier: MIT

// Of equal errors in one line the leftmost is told; a count may be of any typed
// constant whose value will do; nothing of an empty type set can be compared.
package main

const (
	half  float64 = 0.5
	two   float32 = 2
	huge  float64 = 1e10
	minus float32 = -1
	text  string  = "x"
)

var s uint

var (
	_ = 1<<s+1<<s == 1.       // ERROR "shifted operand 1 \(type float64\) must be integer"
	_ = 1<<s+1<<s == 1<<s+1.0 // ERROR "shifted operand 1 \(type float64\) must be integer"
	_ = 1 << two
	_ = 1 << half  // ERROR "invalid shift count half \(constant 0.5 of type float64\)"
	_ = 1 << huge  // ERROR "invalid shift count huge"
	_ = 1 << minus // ERROR "negative shift count minus"
	_ = 1 << text  // ERROR "invalid shift count text"
)

var _ = map[complex128]int{1: 1, 1 + 0i: 2} // ERROR "duplicate key \(1 \+ 0i\) in map literal"

func empty[T interface {
	~int
	~string
}](x T) bool {
	return x == x // ERROR "empty type set"
}

func main() {}
