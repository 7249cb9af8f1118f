// SPDX-License-Identifier: MIT

package fs

import "path"

// A GlobFS finds the files that match a pattern itself.
type GlobFS interface {
	FS
	Glob(pattern string) ([]string, error)
}

// Glob returns the names of all files of fsys that match pattern, as path.Match
// has it, or nil. A directory that cannot be read has no files.
func Glob(fsys FS, pattern string) (matches []string, err error) {
	if g, ok := fsys.(GlobFS); ok {
		return g.Glob(pattern)
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, err
	}
	if !hasMeta(pattern) {
		if _, err := Stat(fsys, pattern); err != nil {
			return nil, nil
		}
		return []string{pattern}, nil
	}
	dir, file := path.Split(pattern)
	if dir == "" {
		dir = "."
	} else {
		dir = dir[:len(dir)-1]
	}
	dirs := []string{dir}
	if hasMeta(dir) {
		if dir == pattern {
			return nil, path.ErrBadPattern
		}
		if dirs, err = Glob(fsys, dir); err != nil {
			return nil, err
		}
	}
	for _, d := range dirs {
		list, err := ReadDir(fsys, d)
		if err != nil {
			continue
		}
		for _, e := range list {
			ok, err := path.Match(file, e.Name())
			if err != nil {
				return matches, err
			}
			if ok {
				matches = append(matches, path.Join(d, e.Name()))
			}
		}
	}
	return matches, nil
}

func hasMeta(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*', '?', '[', '\\':
			return true
		}
	}
	return false
}

// A ReadLinkFS knows symbolic links.
type ReadLinkFS interface {
	FS
	ReadLink(name string) (string, error)
	Lstat(name string) (FileInfo, error)
}

// ReadLink is where the symbolic link leads.
func ReadLink(fsys FS, name string) (string, error) {
	if l, ok := fsys.(ReadLinkFS); ok {
		return l.ReadLink(name)
	}
	return "", &PathError{Op: "readlink", Path: name, Err: ErrInvalid}
}

// Lstat describes a file; a symbolic link itself if fsys is a ReadLinkFS.
func Lstat(fsys FS, name string) (FileInfo, error) {
	if l, ok := fsys.(ReadLinkFS); ok {
		return l.Lstat(name)
	}
	return Stat(fsys, name)
}

// A SubFS gives the tree below a directory itself.
type SubFS interface {
	FS
	Sub(dir string) (FS, error)
}

// Sub is the tree of files below the directory dir of fsys.
func Sub(fsys FS, dir string) (FS, error) {
	if !ValidPath(dir) {
		return nil, &PathError{Op: "sub", Path: dir, Err: ErrInvalid}
	}
	if dir == "." {
		return fsys, nil
	}
	if s, ok := fsys.(SubFS); ok {
		return s.Sub(dir)
	}
	return &below{fsys, dir}, nil
}

// below is the tree below dir.
type below struct {
	fsys FS
	dir  string
}

// errOutside says that a name is not one of the tree's.
type errOutside struct{}

func (errOutside) Error() string { return "pattern's file is outside of the directory" }

// full is the name in the whole tree.
func (b *below) full(op, name string) (string, error) {
	if !ValidPath(name) {
		return "", &PathError{Op: op, Path: name, Err: ErrInvalid}
	}
	return path.Join(b.dir, name), nil
}

// rel takes the directory off a name of the whole tree.
func (b *below) rel(name string) (string, bool) {
	if name == b.dir {
		return ".", true
	}
	n := len(b.dir)
	if len(name) >= n+2 && name[:n] == b.dir && name[n] == '/' {
		return name[n+1:], true
	}
	return "", false
}

// hide makes the path in an error one of the tree.
func (b *below) hide(err error) error {
	if e, ok := err.(*PathError); ok {
		if rel, ok := b.rel(e.Path); ok {
			e.Path = rel
		}
	}
	return err
}

func (b *below) Open(name string) (File, error) {
	full, err := b.full("open", name)
	if err != nil {
		return nil, err
	}
	f, err := b.fsys.Open(full)
	return f, b.hide(err)
}

func (b *below) ReadDir(name string) ([]DirEntry, error) {
	full, err := b.full("read", name)
	if err != nil {
		return nil, err
	}
	list, err := ReadDir(b.fsys, full)
	return list, b.hide(err)
}

func (b *below) ReadFile(name string) ([]byte, error) {
	full, err := b.full("read", name)
	if err != nil {
		return nil, err
	}
	data, err := ReadFile(b.fsys, full)
	return data, b.hide(err)
}

func (b *below) ReadLink(name string) (string, error) {
	full, err := b.full("readlink", name)
	if err != nil {
		return "", err
	}
	to, err := ReadLink(b.fsys, full)
	return to, b.hide(err)
}

func (b *below) Lstat(name string) (FileInfo, error) {
	full, err := b.full("lstat", name)
	if err != nil {
		return nil, err
	}
	info, err := Lstat(b.fsys, full)
	return info, b.hide(err)
}

func (b *below) Glob(pattern string) ([]string, error) {
	if pattern == "." {
		return []string{"."}, nil
	}
	list, err := Glob(b.fsys, b.dir+"/"+pattern)
	for i, name := range list {
		rel, ok := b.rel(name)
		if !ok {
			return nil, errOutside{}
		}
		list[i] = rel
	}
	return list, b.hide(err)
}

func (b *below) Sub(dir string) (FS, error) {
	if dir == "." {
		return b, nil
	}
	full, err := b.full("sub", dir)
	if err != nil {
		return nil, err
	}
	return &below{b.fsys, full}, nil
}
