// run
// env: VOLEDEBUG=gcstress=7,gcverify=1
// SPDX-License-Identifier: MIT

// What is cut off at the end of a text that fills its object must not point
// behind it, where there may be no object.
package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

var texts []string
var slices [][]byte

func keep(more ...string) {
	texts = append(texts, more...)
}

func keepBytes(more ...[]byte) {
	slices = append(slices, more...)
}

func cut(n int) {
	s := strings.Repeat("x", n-1) + ","
	keep(s[len(s):])
	keep(strings.Split(s, ",")...)
	keep(strings.SplitN(s, ",", 2)...)
	keep(strings.SplitAfter(s, ",")...)
	keep(strings.Trim(s, "x,"), strings.TrimLeft(s, "x,"), strings.TrimPrefix(s, s))
	before, after, _ := strings.Cut(s, ",")
	keep(before, after)
	after, _ = strings.CutPrefix(s, s)
	keep(after)
	keep(strings.TrimSpace(strings.Repeat(" ", n)))
	keep(strings.TrimLeftFunc(s, func(r rune) bool { return true }))
	keep(strings.Fields(s)...)
	for part := range strings.SplitSeq(s, ",") {
		keep(part)
	}

	b := bytes.Repeat([]byte("y"), n)
	keepBytes(b[len(b):])
	keepBytes(bytes.Split(b, b)...)
	keepBytes(bytes.SplitAfter(b, b[n-1:])...)
	keepBytes(bytes.Trim(b, "y"), bytes.TrimPrefix(b, b), bytes.TrimSpace(b))
	head, tail, _ := bytes.Cut(b, b[n-1:])
	keepBytes(head, tail)
	tail, _ = bytes.CutPrefix(b, b)
	keepBytes(tail)

	if d, err := time.ParseDuration(strings.Repeat("1h", n/2)); err == nil {
		keep(d.String())
	}
	layout := strings.Repeat(" ", n-4) + "2006"
	if t, err := time.Parse(layout, layout); err == nil {
		keep(t.Format(layout))
	}
}

func main() {
	for round := 0; round < 3; round++ {
		for _, n := range []int{8, 16, 32, 48, 64, 96, 112, 448, 480} {
			cut(n)
		}
		texts, slices = texts[len(texts)/2:], slices[len(slices)/2:]
	}
	n := 0
	for _, s := range texts {
		n += len(s)
	}
	for _, b := range slices {
		n += len(b)
	}
	fmt.Println(len(texts), len(slices), n)
}
