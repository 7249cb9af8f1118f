// panic
// SPDX-License-Identifier: MIT

package main

import "strings"

type inner struct{ v *int }

func (i inner) get() int { return *i.v }

type outer struct{ *inner }

type getter interface{ get() int }

func main() {
	var g getter = outer{&inner{}}
	strings.Map(func(r rune) rune {
		return rune(g.get())
	}, "x")
}
