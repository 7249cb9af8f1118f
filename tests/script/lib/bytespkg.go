// run
// SPDX-License-Identifier: MIT

// Package bytes.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"unicode"
)

func main() {
	b := []byte("hello, world")
	fmt.Println(bytes.Equal(b, []byte("hello, world")), bytes.Equal(nil, []byte{}), bytes.Compare([]byte("a"), []byte("b")), bytes.Contains(b, []byte("lo,")), bytes.Index(b, []byte("o")), bytes.LastIndex(b, []byte("o")), bytes.IndexByte(b, 'w'), bytes.Count(b, []byte("l")), bytes.HasPrefix(b, []byte("he")), bytes.HasSuffix(b, []byte("ld")), bytes.IndexAny(b, "xyzw"), bytes.IndexRune(b, ','))
	fmt.Printf("%q %q %q %q\n", bytes.Split(b, []byte(", ")), bytes.Fields([]byte(" a b ")), bytes.Join([][]byte{{'x'}, {'y'}}, []byte("--")), bytes.TrimSpace([]byte("  t ")))
	fmt.Printf("%s %s %s %s %s\n", bytes.ToUpper(b), bytes.Title([]byte("ab cd")), bytes.Repeat([]byte("z"), 3), bytes.Replace(b, []byte("l"), []byte("LL"), 2), bytes.ReplaceAll(b, []byte("o"), nil))
	fmt.Printf("%s %s %s %v\n", bytes.Trim([]byte("--x--"), "-"), bytes.TrimPrefix(b, []byte("hello")), bytes.Map(unicode.ToUpper, []byte("map")), bytes.Runes([]byte("é!")))
	x, y, ok := bytes.Cut([]byte("k:v"), []byte(":"))
	fmt.Println(string(x), string(y), ok, bytes.EqualFold([]byte("A"), []byte("a")))

	var buf bytes.Buffer
	fmt.Fprintf(&buf, "line %d\n", 1)
	buf.WriteString("line 2\n")
	buf.Write([]byte("line "))
	buf.WriteByte('3')
	buf.WriteRune('€')
	fmt.Println(buf.Len(), buf.String())
	line, err := buf.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	l2, _ := buf.ReadBytes('\n')
	fmt.Printf("%q\n", l2)
	p := make([]byte, 3)
	n, _ := buf.Read(p)
	fmt.Println(n, string(p), string(buf.Next(2)))
	c, _ := buf.ReadByte()
	fmt.Println(c, buf.UnreadByte())
	r, size, _ := buf.ReadRune()
	fmt.Println(string(r), size, buf.Len(), buf.UnreadRune(), buf.Len())
	buf.Truncate(0)
	_, err = buf.ReadByte()
	fmt.Println(err, buf.Len())
	rest, err := buf.ReadString('x')
	fmt.Printf("%q %v\n", rest, err)
	for i := 0; i < 1000; i++ {
		buf.WriteString("0123456789")
		if i%3 == 0 {
			buf.Next(5)
		}
	}
	fmt.Println(buf.Len())
	nb := bytes.NewBufferString("initial ")
	k, err := nb.ReadFrom(bytes.NewReader([]byte("from reader")))
	fmt.Println(k, err, nb.String())
	m, err := nb.WriteTo(os.Stdout)
	fmt.Println()
	fmt.Println(m, err, nb.Len())
	nb.Reset()
	nb.Grow(100)
	fmt.Println(nb.Cap() >= 100)
	rd := bytes.NewReader([]byte("0123456789"))
	rd.Seek(3, io.SeekStart)
	q := make([]byte, 4)
	io.ReadFull(rd, q)
	fmt.Println(string(q), rd.Len())
	_, err = io.ReadFull(rd, make([]byte, 10))
	fmt.Println(err)
	_, err = io.ReadFull(rd, q)
	fmt.Println(err)
	func() {
		defer func() { fmt.Println(recover()) }()
		nb.Truncate(5)
	}()
	a := []byte("abc")
	sub := a[:2]
	fmt.Println(string(append(sub, 'X')), string(a), bytes.IndexFunc(a, unicode.IsUpper))
	fmt.Println(bytes.Clone(nil) == nil, bytes.ContainsAny(a, "Xz"), bytes.LastIndexByte([]byte("aba"), 'a'))
}
