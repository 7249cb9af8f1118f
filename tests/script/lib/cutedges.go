// run
// SPDX-License-Identifier: MIT

// Texts that are cut, trimmed, split and counted at their very ends, as
// strings and as bytes: all pairs of short texts, folded by function, with the
// texts that are equal in full.
package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"strings"
)

var texts = []string{"", "a", "b", "ab", "ba", "aa", "aba", "abab", "aaa", "é",
	"aé", "éa", "\xff", "a\xff", "\xc3", "İ", "ſs", "K", "k", "A", "aB", " ", " a ",
	"a b", "\u0085", "日本", "本", "abcabcabc", "cab", "x\x00y", "\x00"}

func main() {
	str := map[string]func(s, t string) string{
		"Cut": func(s, t string) string { a, b, ok := strings.Cut(s, t); return fmt.Sprintf("%q %q %v", a, b, ok) },
		"CutPrefix": func(s, t string) string {
			a, ok := strings.CutPrefix(s, t)
			return fmt.Sprintf("%q %v", a, ok)
		},
		"CutSuffix": func(s, t string) string {
			a, ok := strings.CutSuffix(s, t)
			return fmt.Sprintf("%q %v", a, ok)
		},
		"TrimPrefix": func(s, t string) string { return strings.TrimPrefix(s, t) },
		"TrimSuffix": func(s, t string) string { return strings.TrimSuffix(s, t) },
		"Trim":       func(s, t string) string { return strings.Trim(s, t) },
		"TrimLeft":   func(s, t string) string { return strings.TrimLeft(s, t) },
		"TrimRight":  func(s, t string) string { return strings.TrimRight(s, t) },
		"HasPrefix":  func(s, t string) string { return fmt.Sprint(strings.HasPrefix(s, t)) },
		"HasSuffix":  func(s, t string) string { return fmt.Sprint(strings.HasSuffix(s, t)) },
		"Contains":   func(s, t string) string { return fmt.Sprint(strings.Contains(s, t), strings.ContainsAny(s, t)) },
		"Count":      func(s, t string) string { return fmt.Sprint(strings.Count(s, t)) },
		"Index":      func(s, t string) string { return fmt.Sprint(strings.Index(s, t), strings.LastIndex(s, t)) },
		"IndexAny":   func(s, t string) string { return fmt.Sprint(strings.IndexAny(s, t), strings.LastIndexAny(s, t)) },
		"Compare":    func(s, t string) string { return fmt.Sprint(strings.Compare(s, t), strings.EqualFold(s, t)) },
		"Split":      func(s, t string) string { return fmt.Sprintf("%q", strings.Split(s, t)) },
		"SplitAfter": func(s, t string) string { return fmt.Sprintf("%q", strings.SplitAfter(s, t)) },
		"SplitN": func(s, t string) string {
			return fmt.Sprintf("%q %q %q", strings.SplitN(s, t, 0), strings.SplitN(s, t, 1), strings.SplitN(s, t, 2))
		},
		"SplitAfterN": func(s, t string) string {
			return fmt.Sprintf("%q %q", strings.SplitAfterN(s, t, 2), strings.SplitAfterN(s, t, -1))
		},
		"Replace": func(s, t string) string {
			return strings.Replace(s, t, "<>", 1) + strings.ReplaceAll(s, t, "-") + strings.Replace(s, t, t+t, 2)
		},
		"Fields": func(s, t string) string { return fmt.Sprintf("%q", strings.Fields(s+t)) },
		"Case":   func(s, t string) string { return strings.ToUpper(s+t) + strings.ToLower(s+t) + strings.ToTitle(t) },
		"Valid":  func(s, t string) string { return strings.ToValidUTF8(s+t, "?") },
		"Repeat": func(s, t string) string { return strings.Repeat(s, len(t)) },
		"Byte": func(s, t string) string {
			if t == "" {
				return ""
			}
			return fmt.Sprint(strings.IndexByte(s, t[0]), strings.LastIndexByte(s, t[0]), strings.IndexRune(s, []rune(t)[0]))
		},
		"Join":  func(s, t string) string { return strings.Join([]string{s, t, s}, t) },
		"Space": func(s, t string) string { return strings.TrimSpace(t + s + t) },
	}
	b := func(s string) []byte { return []byte(s) }
	byt := map[string]func(s, t string) string{
		"Cut": func(s, t string) string {
			x, y, ok := bytes.Cut(b(s), b(t))
			return fmt.Sprintf("%q %q %v", x, y, ok)
		},
		"CutPrefix": func(s, t string) string {
			a, ok := bytes.CutPrefix(b(s), b(t))
			return fmt.Sprintf("%q %v", a, ok)
		},
		"CutSuffix": func(s, t string) string {
			a, ok := bytes.CutSuffix(b(s), b(t))
			return fmt.Sprintf("%q %v", a, ok)
		},
		"TrimPrefix": func(s, t string) string { return string(bytes.TrimPrefix(b(s), b(t))) },
		"TrimSuffix": func(s, t string) string { return string(bytes.TrimSuffix(b(s), b(t))) },
		"Trim":       func(s, t string) string { return string(bytes.Trim(b(s), t)) },
		"TrimLeft":   func(s, t string) string { return string(bytes.TrimLeft(b(s), t)) },
		"TrimRight":  func(s, t string) string { return string(bytes.TrimRight(b(s), t)) },
		"Equal":      func(s, t string) string { return fmt.Sprint(bytes.Equal(b(s), b(t)), bytes.Compare(b(s), b(t))) },
		"Count":      func(s, t string) string { return fmt.Sprint(bytes.Count(b(s), b(t))) },
		"Index":      func(s, t string) string { return fmt.Sprint(bytes.Index(b(s), b(t)), bytes.LastIndex(b(s), b(t))) },
		"Split":      func(s, t string) string { return fmt.Sprintf("%q", bytes.Split(b(s), b(t))) },
		"SplitAfter": func(s, t string) string { return fmt.Sprintf("%q", bytes.SplitAfterN(b(s), b(t), 2)) },
		"Replace":    func(s, t string) string { return string(bytes.Replace(b(s), b(t), b("<>"), 1)) },
		"Fold":       func(s, t string) string { return fmt.Sprint(bytes.EqualFold(b(s), b(t))) },
		"Join":       func(s, t string) string { return string(bytes.Join([][]byte{b(s), b(t)}, b(t))) },
		"Fields":     func(s, t string) string { return fmt.Sprintf("%q", bytes.Fields(b(s+t))) },
		"Case":       func(s, t string) string { return string(bytes.ToUpper(b(s+t))) + string(bytes.ToLower(b(s+t))) },
	}
	for kind, all := range []map[string]func(s, t string) string{str, byt} {
		lines := make([]string, 0, len(all))
		for name, f := range all {
			h := fnv.New64()
			same := ""
			for _, s := range texts {
				for _, t := range texts {
					x := f(s, t)
					fmt.Fprintf(h, "%q %q %q\n", s, t, x)
					if s == t && len(s) < 3 {
						same += x + ","
					}
				}
			}
			lines = append(lines, fmt.Sprintf("%d %s %x %q", kind, name, h.Sum64(), same))
		}
		for len(lines) > 0 {
			least := 0
			for i := range lines {
				if lines[i] < lines[least] {
					least = i
				}
			}
			fmt.Println(lines[least])
			lines = append(lines[:least], lines[least+1:]...)
		}
	}
}
