// run
// SPDX-License-Identifier: MIT

// Package strings.
package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

func main() {
	s := "the quick brown fox jumps over the lazy dog"
	fmt.Println(strings.Contains(s, "fox"), strings.ContainsAny(s, "xyz!"), strings.ContainsRune(s, 'q'), strings.Count(s, "o"), strings.Count("abc", ""), strings.Index(s, "the"), strings.LastIndex(s, "the"), strings.IndexByte(s, 'q'), strings.IndexRune("chicken", 'k'), strings.IndexAny(s, "zx"), strings.LastIndexByte(s, 'o'), strings.IndexFunc("Hello", unicode.IsLower), strings.Index(s, ""), strings.Index("", "x"))
	fmt.Println(strings.HasPrefix(s, "the"), strings.HasSuffix(s, "dog"), strings.TrimPrefix(s, "the "), strings.TrimSuffix(s, " dog"))
	fmt.Printf("%q %q %q %q\n", strings.Split("a,b,,c", ","), strings.Split("abc", ""), strings.Split("", ","), strings.SplitN("a,b,c,d", ",", 2))
	fmt.Printf("%q %q %q %q\n", strings.SplitAfter("a,b,c", ","), strings.Fields("  a  b\tc\n"), strings.FieldsFunc("a1b22c", unicode.IsDigit), strings.SplitN("a,b", ",", 0))
	fmt.Println(strings.Join([]string{"x", "y", "z"}, "-"), strings.Join(nil, "-") == "", strings.Repeat("ab", 3), strings.Repeat("x", 0) == "")
	fmt.Println(strings.ToUpper("héllo ß"), strings.ToLower("ÀÉ Hi"), strings.Title("hello world"), strings.ToTitle("abc"))
	fmt.Println(strings.Replace("oink oink oink", "k", "ky", 2), strings.ReplaceAll("oink oink", "oink", "moo"), strings.Replace("abc", "", "-", -1))
	fmt.Printf("%q %q %q %q %q %q\n", strings.TrimSpace(" \t x y \n"), strings.Trim("xxhixx", "x"), strings.TrimLeft("xxhixx", "x"), strings.TrimRight("xxhixx", "x"), strings.TrimFunc("123abc456", unicode.IsDigit), strings.Trim("éàxàé", "éà"))
	fmt.Println(strings.EqualFold("Go", "GO"), strings.EqualFold("ß", "SS"), strings.Compare("a", "b"), strings.Compare("b", "a"), strings.Compare("a", "a"))
	fmt.Println(strings.Map(func(r rune) rune {
		switch {
		case r == 'a':
			return 'A'
		case r == 'x':
			return -1
		}
		return r
	}, "banana xx é"), strings.ToValidUTF8("a\xffb", "?"))
	before, after, found := strings.Cut("key=value=x", "=")
	b2, a2, f2 := strings.Cut("nokey", "=")
	fmt.Println(before, after, found, b2, a2 == "", f2)
	p, ok := strings.CutPrefix("prefix-x", "prefix-")
	q, ok2 := strings.CutSuffix("x.go", ".c")
	fmt.Println(p, ok, q, ok2)
	fmt.Println(strings.LastIndexAny("golang", "gn"), strings.LastIndexFunc("123x4", unicode.IsLetter), strings.ContainsFunc("abc1", unicode.IsDigit))

	var b strings.Builder
	b.Grow(10)
	for i := 3; i > 0; i-- {
		fmt.Fprintf(&b, "%d...", i)
	}
	b.WriteByte('!')
	b.WriteRune('世')
	b.WriteString("end")
	b.Write([]byte{'.'})
	fmt.Println(b.String(), b.Len(), b.Cap() >= b.Len())
	b.Reset()
	fmt.Println(b.Len(), b.String() == "")

	r := strings.NewReader("reader text")
	buf := make([]byte, 4)
	n, _ := r.Read(buf)
	c, _ := r.ReadByte()
	r.UnreadByte()
	ru, size, _ := r.ReadRune()
	fmt.Println(n, string(buf), string(c), string(ru), size, r.Len(), r.Size())
	r.Seek(-4, io.SeekEnd)
	rest, _ := io.ReadAll(r)
	_, err := r.ReadByte()
	k, _ := r.ReadAt(buf, 1)
	fmt.Println(string(rest), err, k, string(buf))

	rep := strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;")
	fmt.Println(rep.Replace("a<b && c>d"))
	fmt.Println(strings.NewReplacer("a", "1", "aa", "2", "aaa", "3").Replace("aaaa"), strings.NewReplacer("aaa", "3", "aa", "2", "a", "1", "i", "i", "longerst", "9", "longer", "8").Replace("aaaa longerst longer"), strings.NewReplacer("", "X").Replace("ab"))
	rep.WriteString(&b, "<&>")
	fmt.Println(b.String())
	func() {
		defer func() { fmt.Println(recover()) }()
		strings.Repeat("x", -1)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		strings.NewReplacer("odd")
	}()
	long := strings.Repeat("abcdefghij", 1000)
	fmt.Println(len(long), strings.Count(long, "ja"), strings.Index(long, "jab"), strings.LastIndex(long, "ija"), strings.Index(long, "zz"), len(strings.Split(long, "j")))
	words := strings.Fields(s)
	freq := map[rune]int{}
	for _, w := range words {
		for _, r := range w {
			freq[r]++
		}
	}
	fmt.Println(len(words), freq['o'], freq['e'], len(freq))
	for l := range strings.SplitSeq("x,y,z", ",") {
		fmt.Print(l, ";")
	}
	for l := range strings.Lines("one\ntwo\nthree") {
		fmt.Printf("%q", l)
	}
	fmt.Println(strings.Clone("cl") == "cl")
}
