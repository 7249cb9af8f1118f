// run
// SPDX-License-Identifier: MIT

// Trees of files below directories, globs, links, owners and times of files.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	dir, _ := os.MkdirTemp("", "api")
	defer os.RemoveAll(dir)
	for _, n := range []string{"a/b/c.txt", "a/d.go", "a/b/e.go", "top.txt"} {
		os.MkdirAll(filepath.Dir(dir+"/"+n), 0755)
		os.WriteFile(dir+"/"+n, []byte(n), 0640)
	}
	os.Symlink("d.go", dir+"/a/link")
	fsys := os.DirFS(dir)
	for _, p := range []string{"*", "a/*", "a/*/*.go", "*/*/*", "[", "a/[", "none", "top.txt", "*/d.go", "no/*", "."} {
		m, err := fs.Glob(fsys, p)
		fmt.Println(p, m, err)
	}
	sub, err := fs.Sub(fsys, "a")
	fmt.Println(err)
	m, err := fs.Glob(sub, "*/*.go")
	fmt.Println(m, err)
	fmt.Println(fs.Glob(sub, "."))
	b, err := fs.ReadFile(sub, "b/c.txt")
	fmt.Println(string(b), err)
	_, err = fs.ReadFile(sub, "b/none")
	fmt.Println(strings.ReplaceAll(fmt.Sprint(err), dir, "DIR"))
	_, err = sub.Open("../top.txt")
	fmt.Println(err)
	_, err = fs.Sub(fsys, "../x")
	fmt.Println(err)
	l, err := fs.ReadDir(sub, ".")
	fmt.Println(l, err)
	s, err := fs.ReadLink(sub, "link")
	fmt.Println(s, err)
	i, err := fs.Lstat(sub, "link")
	fmt.Println(i.Mode().Type(), err)
	_, err = fs.ReadLink(fsys, "top.txt")
	fmt.Println(strings.ReplaceAll(fmt.Sprint(err), dir, "DIR"))
	sub2, _ := fs.Sub(sub, "b")
	m, err = fs.Glob(sub2, "*")
	fmt.Println(m, err)
	fmt.Println(filepath.Localize("a/b"))
	fmt.Println(filepath.Localize("/a"))
	fmt.Println(filepath.Localize("a\x00"))
	fmt.Println(os.Chtimes(dir+"/top.txt", time.Time{}, time.Unix(1000, 5)))
	st, _ := os.Stat(dir + "/top.txt")
	fmt.Println(st.ModTime().UnixNano())
	err = os.Chtimes("/nonexistent/x", time.Now(), time.Now())
	fmt.Println(err, errors.Is(err, fs.ErrNotExist))
	fmt.Println(os.Chown("/nonexistent/x", -1, -1), os.Lchown(dir+"/a/link", -1, -1))
	fmt.Println(os.CopyFS(dir+"/copy", sub))
	fmt.Println(strings.ReplaceAll(fmt.Sprint(os.CopyFS(dir+"/copy", sub)), dir, "DIR"))
	filepath.WalkDir(dir+"/copy", func(p string, d fs.DirEntry, err error) error {
		fmt.Println(strings.TrimPrefix(p, dir), d, err)
		return nil
	})
	g, err := os.Getgroups()
	fmt.Println(len(g) >= 0, err)
	f, _ := os.Create(dir + "/f")
	fmt.Println(f.ReadFrom(strings.NewReader("hello")))
	f.Seek(1, 0)
	var sb strings.Builder
	fmt.Println(f.WriteTo(&sb))
	fmt.Println(sb.String(), f.Chown(-1, -1))
	f.Close()
	_, err = f.ReadFrom(strings.NewReader(""))
	fmt.Println(strings.ReplaceAll(fmt.Sprint(err), dir, "DIR"))
	fmt.Println(os.IsPathSeparator('/'), (&os.SyscallError{"x", os.ErrDeadlineExceeded}).Timeout())
}
