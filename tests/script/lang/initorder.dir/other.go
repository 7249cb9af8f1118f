// SPDX-License-Identifier: MIT

package main

var d = 3

var notes []string

var later = func() int { note("later"); return other }()

var other = len(table) + 20

var table = map[string]int{"k": method(T{4}), "l": 0}

func method(t T) int { return t.double() + extra }

type T struct{ n int }

func (t T) double() int { return t.n * factor }

func note(s string) int {
	notes = append(notes, s)
	return len(notes)
}

func init() {
	note("init other")
}
