// run
// SPDX-License-Identifier: MIT

// Package text/tabwriter, with texts and settings from a generator.
package main

import (
	"bytes"
	"fmt"
	"hash"
	"hash/crc32"
	"os"
	"strings"
	"text/tabwriter"
)

// tee prints the first lines and sums up all.
type tee struct {
	lines int
	sum   hash.Hash32
}

func (t *tee) Write(p []byte) (int, error) {
	t.sum.Write(p)
	if t.lines > 0 {
		t.lines--
		os.Stdout.Write(p)
	}
	return len(p), nil
}

var out = &tee{25, crc32.NewIEEE()}

var seed uint32 = 1

func rnd(n int) int {
	seed = seed*1664525 + 1013904223
	return int(seed>>8) % n
}

var pieces = []string{"a", "bb", "ccc", "\t", "\t", "\t", "\v", "\n", "\n", "\f", "é", "日本", "<b>", "&lt;", "\xff", "<", "&", "x y", ";", ">", "\xff\t\xff", "longer text", "\x80"}

func main() {
	defer func() { fmt.Printf("%08x\n", out.sum.Sum32()) }()
	for i := 0; i < 2000; i++ {
		var s strings.Builder
		k := rnd(40)
		for j := 0; j < k; j++ {
			s.WriteString(pieces[rnd(len(pieces))])
		}
		flags := uint(rnd(64))
		pad := byte(" .\t"[rnd(3)])
		mw, tw, pd := rnd(6), rnd(9), rnd(4)
		var buf bytes.Buffer
		w := tabwriter.NewWriter(&buf, mw, tw, pd, pad, flags)
		t := s.String()
		res := func() (r string) {
			defer func() {
				if e := recover(); e != nil {
					r = "panic"
				}
			}()
			for len(t) > 0 {
				n := rnd(len(t)) + 1
				m, err := w.Write([]byte(t[:n]))
				if m != n || err != nil {
					fmt.Fprintln(out, "??", m, n, err)
				}
				t = t[n:]
				if rnd(8) == 0 {
					w.Flush()
				}
			}
			w.Flush()
			return ""
		}()
		fmt.Fprintf(out, "%d %q %d %d %d %q %d: %q %s\n", i, s.String(), mw, tw, pd, pad, flags, buf.String(), res)
	}
}
