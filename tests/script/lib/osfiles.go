// run
// SPDX-License-Identifier: MIT

// Package os: files.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

func check(err error) {
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

func main() {
	dir, err := os.MkdirTemp("", "vole-osfiles")
	check(err)
	defer os.RemoveAll(dir)
	name := dir + "/a.txt"
	check(os.WriteFile(name, []byte("line 1\nline 2\n"), 0o644))
	b, err := os.ReadFile(name)
	fmt.Printf("%q %v\n", b, err)
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	check(err)
	fmt.Fprintf(f, "line %d\n", 3)
	check(f.Close())
	f, err = os.Open(name)
	check(err)
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		fmt.Print(sc.Text(), ";")
	}
	fmt.Println()
	off, err := f.Seek(5, io.SeekStart)
	p := make([]byte, 8)
	n, err2 := f.Read(p)
	fmt.Printf("%d %v %q %v\n", off, err, p[:n], err2)
	n, err = f.ReadAt(p, 14)
	fmt.Printf("%q %v\n", p[:n], err)
	fi, err := f.Stat()
	check(err)
	fmt.Println(fi.Name(), fi.Size(), fi.IsDir(), fi.Mode(), strings.HasSuffix(f.Name(), "/a.txt"))
	_, err = f.Write([]byte("x"))
	fmt.Println(err != nil)
	check(f.Close())
	fmt.Println(errors.Is(f.Close(), os.ErrClosed))
	_, err = f.Read(p)
	fmt.Println(errors.Is(err, os.ErrClosed))
	f, err = os.Create(dir + "/b.txt")
	check(err)
	w := bufio.NewWriter(f)
	for i := 0; i < 1000; i++ {
		fmt.Fprintln(w, i)
	}
	check(w.Flush())
	check(f.Truncate(100))
	f.Close()
	b, _ = os.ReadFile(dir + "/b.txt")
	fmt.Println(len(b))
	check(os.Rename(dir+"/b.txt", dir+"/c.txt"))
	_, err = os.Stat(dir + "/b.txt")
	fmt.Println(os.IsNotExist(err))
	check(os.Mkdir(dir+"/sub", 0o755))
	fmt.Println(os.IsExist(os.Mkdir(dir+"/sub", 0o755)))
	check(os.MkdirAll(dir+"/x/y/z", 0o755))
	es, err := os.ReadDir(dir)
	check(err)
	for _, e := range es {
		fmt.Print(e.Name(), e.IsDir(), " ")
	}
	fmt.Println()
	check(os.Remove(dir + "/c.txt"))
	fmt.Println(os.Remove(dir+"/c.txt") != nil, os.Remove(dir+"/x") != nil)
	_, err = os.Open(dir + "/none")
	fmt.Println(strings.Replace(err.Error(), dir, "DIR", 1), errors.Is(err, os.ErrNotExist))
	_, err = os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o600)
	fmt.Println(errors.Is(err, os.ErrExist))
	r, pw, err := os.Pipe()
	check(err)
	go func() {
		fmt.Fprint(pw, "through a pipe")
		pw.Close()
	}()
	b, err = io.ReadAll(r)
	fmt.Println(string(b), err)
	wd, err := os.Getwd()
	fmt.Println(wd != "", err)
	h, err := os.Hostname()
	fmt.Println(h != "", err)
}
