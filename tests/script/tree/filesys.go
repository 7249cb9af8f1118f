// run
// tree 19
// SPDX-License-Identifier: MIT

// What the system knows of a file: FileInfo's Sys.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	dir, err := os.MkdirTemp("", "filesys")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "a")
	if err := os.WriteFile(name, make([]byte, 5000), 0640); err != nil {
		fmt.Println(err)
		return
	}
	os.Link(name, filepath.Join(dir, "b"))
	os.Symlink("a", filepath.Join(dir, "c"))
	at, mt := time.Unix(1e9, 7), time.Unix(1.1e9, 8)
	os.Chtimes(name, at, mt)
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		fmt.Println(d.Name(), ok, st.Nlink, st.Size, st.Mode == syscall.S_IFREG|0640, st.Mode&syscall.S_IFMT == syscall.S_IFLNK,
			int(st.Uid) == os.Getuid(), int(st.Gid) == os.Getgid(), st.Blocks > 0, st.Blksize > 0)
		return nil
	})
	a, _ := os.Stat(name)
	b, _ := os.Lstat(filepath.Join(dir, "b"))
	f, _ := os.Open(filepath.Join(dir, "c"))
	c, _ := f.Stat()
	x, y, z := a.Sys().(*syscall.Stat_t), b.Sys().(*syscall.Stat_t), c.Sys().(*syscall.Stat_t)
	fmt.Println(x.Ino == y.Ino, y.Ino == z.Ino, x.Dev == z.Dev, *x == *y, os.SameFile(a, c))
	fmt.Println(x.Atim, x.Mtim.Nano(), x.Ctim.Sec > 1e9, a.ModTime().Equal(mt), a.Mode(), a.Size())
	fmt.Println(time.Unix(x.Atim.Unix()).Equal(at))
}
