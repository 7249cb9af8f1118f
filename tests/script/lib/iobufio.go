// run
// SPDX-License-Identifier: MIT

// Packages io and bufio.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

type upper struct{ r io.Reader }

func (u upper) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	copy(p, bytes.ToUpper(p[:n]))
	return n, err
}

type slow struct{ s string }

func (s *slow) Read(p []byte) (int, error) {
	if s.s == "" {
		return 0, io.EOF
	}
	p[0] = s.s[0]
	s.s = s.s[1:]
	return 1, nil
}

type failing struct{ n int }

func (f *failing) Write(p []byte) (int, error) {
	f.n -= len(p)
	if f.n < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func main() {
	b, err := io.ReadAll(upper{strings.NewReader("shout")})
	fmt.Println(string(b), err)
	sc := bufio.NewScanner(strings.NewReader("one\ntwo\r\n\nfour"))
	for sc.Scan() {
		fmt.Printf("%q ", sc.Text())
	}
	fmt.Println(sc.Err())
	for i, split := range []bufio.SplitFunc{bufio.ScanWords, bufio.ScanRunes, bufio.ScanBytes} {
		sc := bufio.NewScanner(&slow{"a bé  c"})
		sc.Split(split)
		n := 0
		for sc.Scan() {
			fmt.Printf("%q ", sc.Bytes())
			n++
		}
		fmt.Println(i, n)
	}
	sc = bufio.NewScanner(strings.NewReader("1,2,3"))
	sc.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, ','); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	for sc.Scan() {
		fmt.Print(sc.Text(), ";")
	}
	fmt.Println()
	sc = bufio.NewScanner(strings.NewReader(strings.Repeat("x", 100)))
	sc.Buffer(make([]byte, 10), 20)
	fmt.Println(sc.Scan(), sc.Err())

	r := bufio.NewReaderSize(&slow{"line one\nline two\nrest"}, 16)
	l, err := r.ReadString('\n')
	fmt.Printf("%q %v\n", l, err)
	pk, err := r.Peek(4)
	fmt.Printf("%q %v %v\n", pk, err, r.Buffered() >= 4)
	c, _ := r.ReadByte()
	r.UnreadByte()
	ru, n, _ := r.ReadRune()
	line, isPrefix, err := r.ReadLine()
	fmt.Printf("%c %c %d %q %v %v\n", c, ru, n, line, isPrefix, err)
	l, err = r.ReadString('\n')
	fmt.Printf("%q %v\n", l, err)
	_, err = r.ReadByte()
	fmt.Println(err)

	var buf bytes.Buffer
	w := bufio.NewWriterSize(&buf, 8)
	w.WriteString("hello")
	fmt.Println(buf.Len(), w.Buffered(), w.Available(), w.Size())
	w.WriteString(" world, long")
	w.WriteByte('!')
	w.WriteRune('é')
	fmt.Fprintf(w, "%d", 42)
	w.Flush()
	fmt.Println(buf.String())
	fw := bufio.NewWriterSize(&failing{10}, 4)
	for i := 0; i < 5; i++ {
		fmt.Fprintf(fw, "%d%d%d", i, i, i)
	}
	fmt.Println(fw.Flush())
	rw := bufio.NewReadWriter(bufio.NewReader(strings.NewReader("in")), bufio.NewWriter(os.Stdout))
	s, _ := rw.ReadString(0)
	rw.WriteString(s + "out\n")
	rw.Flush()

	var out bytes.Buffer
	nn, err := io.Copy(&out, io.LimitReader(strings.NewReader("limited text"), 7))
	fmt.Println(nn, err, out.String())
	nn, err = io.CopyN(&out, strings.NewReader("xy"), 5)
	fmt.Println(nn, err)
	tee := io.TeeReader(strings.NewReader("tee"), &out)
	io.ReadAll(tee)
	mr := io.MultiReader(strings.NewReader("a"), strings.NewReader(""), strings.NewReader("bc"))
	all, _ := io.ReadAll(mr)
	var o1, o2 strings.Builder
	mw := io.MultiWriter(&o1, &o2)
	io.WriteString(mw, "both")
	fmt.Println(out.String(), string(all), o1.String(), o2.String())
	sec := io.NewSectionReader(strings.NewReader("0123456789"), 2, 5)
	all, _ = io.ReadAll(sec)
	fmt.Println(string(all), sec.Size())
	p := make([]byte, 4)
	k, err := io.ReadAtLeast(&slow{"abc"}, p, 2)
	fmt.Println(k, err)
	k, err = io.ReadFull(&slow{"abc"}, p)
	fmt.Println(k, err, err == io.ErrUnexpectedEOF)
	k, err = io.ReadAtLeast(&slow{"abc"}, p, 9)
	fmt.Println(k, err)
	io.Copy(io.Discard, strings.NewReader("gone"))

	pr, pw := io.Pipe()
	go func() {
		for i := 0; i < 3; i++ {
			fmt.Fprintf(pw, "msg %d\n", i)
		}
		pw.CloseWithError(errors.New("pipe end"))
	}()
	ps := bufio.NewScanner(pr)
	for ps.Scan() {
		fmt.Print(ps.Text(), ", ")
	}
	fmt.Println(ps.Err())
	var rc io.ReadCloser = io.NopCloser(strings.NewReader("x"))
	fmt.Println(rc.Close())
}
