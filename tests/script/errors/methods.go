// errorcheck
// SPDX-License-Identifier: MIT

package main

import "fmt"

type Shape interface {
	Area() float64
	Name() string
}
type Sq struct{}

func (s *Sq) Area() float64 { return 1 }
func (s *Sq) Name() string  { return "" }

type Half struct{}

func (Half) Area() float64 { return 1 }

type Wrong struct{}

func (Wrong) Area() int    { return 1 }
func (Wrong) Name() string { return "" }

func (int) Bad() {}          // ERROR "cannot define new methods on non-local type int"
func (s fmt.Stringer) Bad2() {} // ERROR "cannot define new methods|invalid receiver"

func main() {
	var s Shape = Sq{} // ERROR "cannot use Sq.. .*Sq does not implement Shape .method Area has pointer receiver."
	s = Half{}         // ERROR "Half does not implement Shape .missing method Name."
	s = Wrong{}        // ERROR "wrong type for method Area"
	s = &Sq{}
	_ = s.(Half) // ERROR "impossible type assertion"
	Sq{}.Area()  // ERROR "cannot call pointer method Area on Sq"
	s.Missing()  // ERROR "s.Missing undefined"
}
