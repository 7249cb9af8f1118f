// run
// tree 24
// SPDX-License-Identifier: MIT

// Folders that nothing leads out of: all of package os is the tree's then.
package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
)

func main() {
	dir, err := os.MkdirTemp("", "roots")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	r, err := os.OpenRoot(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	fmt.Println(r.Name() == dir)

	f, err := r.Create("a.txt")
	fmt.Println(err)
	io.WriteString(f, "hello")
	fmt.Println(f.Close(), r.Mkdir("sub", 0o755))

	_, err = r.Open("../../etc/passwd")
	fmt.Println(err)
	os.Symlink("/etc/passwd", dir+"/link")
	_, err = r.Open("link")
	fmt.Println(err)
	_, err = os.OpenInRoot(dir, "sub/../../x")
	fmt.Println(err)

	b, err := r.ReadFile("a.txt")
	fmt.Println(string(b), err)
	fs.WalkDir(r.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		fmt.Println(p, e.IsDir(), err)
		return nil
	})
	fmt.Println(r.Rename("a.txt", "sub/b.txt"), r.Remove("sub/b.txt"))
	st, err := r.Stat("sub")
	fmt.Println(st.IsDir(), err)

	// The rest of the package is the same.
	out, err := exec.Command("echo", "from", "outside").Output()
	fmt.Printf("%s%v %T %v\n", out, err, os.Stdout, os.Getenv("HOME") != "")
}
