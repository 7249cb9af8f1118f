// run
// SPDX-License-Identifier: MIT

// Packages encoding/hex and encoding/base64, with right and wrong texts.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"strings"
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

var out = &tee{40, crc32.NewIEEE()}

var seed uint32 = 1

func rnd(n int) int {
	seed = seed*1664525 + 1013904223
	return int(seed>>8) % n
}

func text(set string, n int) string {
	var b []byte
	for i := 0; i < n; i++ {
		b = append(b, set[rnd(len(set))])
	}
	return string(b)
}

func main() {
	defer func() { fmt.Printf("%08x\n", out.sum.Sum32()) }()
	for i := 0; i < 600; i++ {
		s := text("0123456789abcdefABCDEFg\n", rnd(12))
		if rnd(2) == 0 {
			s = text("0123456789abcdefABCDEF", rnd(12))
		}
		b, err := hex.DecodeString(s)
		fmt.Fprintf(out, "%q %x %v\n", s, b, err)
		b, err = hex.AppendDecode([]byte("z"), []byte(s))
		fmt.Fprintf(out, "%q %x %v\n", s, b, err)
		b, err = io.ReadAll(hex.NewDecoder(strings.NewReader(s)))
		fmt.Fprintf(out, "%q %x %v\n", s, b, err)
		t := text("ab\x00\xff \x7f~z", rnd(50))
		fmt.Fprintln(out, hex.EncodeToString([]byte(t)), hex.Dump([]byte(t)))
		var buf bytes.Buffer
		d := hex.Dumper(&buf)
		for len(t) > 0 {
			n := rnd(len(t)) + 1
			d.Write([]byte(t[:n]))
			t = t[n:]
		}
		fmt.Fprintln(out, d.Close(), buf.String())
	}
	std := base64.StdEncoding
	encs := []*base64.Encoding{std, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding, std.Strict(), base64.RawStdEncoding.Strict(), std.WithPadding('*')}
	for i := 0; i < 3000; i++ {
		e := encs[rnd(len(encs))]
		s := text("ABab+/-_=\n", rnd(14))
		if rnd(2) == 0 {
			s = e.EncodeToString([]byte(text("abc\xff", rnd(8))))
			if rnd(2) == 0 && len(s) > 0 {
				k := rnd(len(s))
				s = s[:k] + text("A\n=*Z\r", 1) + s[k+rnd(2):]
			}
		}
		b, err := e.DecodeString(s)
		fmt.Fprintf(out, "%q %x %v\n", s, b, err)
		b, err = e.AppendDecode([]byte("z"), []byte(s))
		fmt.Fprintf(out, "%q %x %v\n", s, b, err)
		if err == nil {
			b, err = io.ReadAll(base64.NewDecoder(e, strings.NewReader(s)))
			fmt.Fprintf(out, "R %q %x %v\n", s, b, err)
		}
		t := text("ab\x00\xff \x7f~z", rnd(50))
		fmt.Fprintln(out, e.EncodeToString([]byte(t)), e.EncodedLen(len(t)), e.DecodedLen(len(t)), string(e.AppendEncode([]byte("q"), []byte(t))))
		var buf bytes.Buffer
		w := base64.NewEncoder(e, &buf)
		for len(t) > 0 {
			n := rnd(len(t)) + 1
			w.Write([]byte(t[:n]))
			t = t[n:]
		}
		fmt.Fprintln(out, w.Close(), buf.String())
	}
	big := text("hello world", 5000)
	for _, e := range encs {
		var buf bytes.Buffer
		w := base64.NewEncoder(e, &buf)
		w.Write([]byte(big))
		w.Close()
		b, err := io.ReadAll(base64.NewDecoder(e, &buf))
		fmt.Fprintln(out, string(b) == big, err)
	}
}
