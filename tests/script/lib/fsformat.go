// run
// SPDX-License-Identifier: MIT

// Files and directory entries in one line.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

type fi struct{ dir bool }

func (f fi) Name() string       { return "nm" }
func (f fi) Size() int64        { return -1 << 63 }
func (f fi) Mode() fs.FileMode  { return 0644 }
func (f fi) ModTime() time.Time { return time.Unix(1e9, 0).UTC() }
func (f fi) IsDir() bool        { return f.dir }
func (f fi) Sys() any           { return nil }

func main() {
	fmt.Println(fs.FormatFileInfo(fi{}), fs.FormatFileInfo(fi{true}), fs.FormatDirEntry(fs.FileInfoToDirEntry(fi{true})), fs.FileInfoToDirEntry(fi{false}))
	d, _ := os.MkdirTemp("", "w")
	defer os.RemoveAll(d)
	os.Chdir(d)
	os.WriteFile("f", nil, 0600)
	os.Symlink("f", "l")
	filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error { fmt.Println(p, d); return err })
}
