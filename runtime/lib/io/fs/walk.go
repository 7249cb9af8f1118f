// SPDX-License-Identifier: MIT

package fs

import (
	"errors"
	"io"
)

// A ReadFileFS reads a whole file in its own way.
type ReadFileFS interface {
	FS
	ReadFile(name string) ([]byte, error)
}

// ReadFile reads a whole file.
func ReadFile(fsys FS, name string) ([]byte, error) {
	if r, ok := fsys.(ReadFileFS); ok {
		return r.ReadFile(name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// A ReadDirFS reads a directory in its own way.
type ReadDirFS interface {
	FS
	ReadDir(name string) ([]DirEntry, error)
}

// ReadDir reads a directory, sorted by name.
func ReadDir(fsys FS, name string) ([]DirEntry, error) {
	if r, ok := fsys.(ReadDirFS); ok {
		return r.ReadDir(name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	dir, ok := f.(ReadDirFile)
	if !ok {
		return nil, &PathError{"readdir", name, errors.New("not implemented")}
	}
	list, err := dir.ReadDir(-1)
	sortEntries(list)
	return list, err
}

// sortEntries sorts by name, merging runs of growing length.
func sortEntries(a []DirEntry) {
	names := make([]string, len(a))
	for i, e := range a {
		names[i] = e.Name()
	}
	other, onames := make([]DirEntry, len(a)), make([]string, len(a))
	for width := 1; width < len(a); width *= 2 {
		for lo := 0; lo < len(a); lo += 2 * width {
			mid, hi := min(lo+width, len(a)), min(lo+2*width, len(a))
			i, k := lo, mid
			for at := lo; at < hi; at++ {
				if k >= hi || i < mid && names[i] <= names[k] {
					other[at], onames[at] = a[i], names[i]
					i++
				} else {
					other[at], onames[at] = a[k], names[k]
					k++
				}
			}
		}
		copy(a, other)
		copy(names, onames)
	}
}

// A StatFS describes files in its own way.
type StatFS interface {
	FS
	Stat(name string) (FileInfo, error)
}

// Stat describes a file.
func Stat(fsys FS, name string) (FileInfo, error) {
	if s, ok := fsys.(StatFS); ok {
		return s.Stat(name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

// What a WalkDirFunc returns to leave out a directory, or all the rest.
var (
	SkipDir = errors.New("skip this directory")
	SkipAll = errors.New("skip everything and stop the walk")
)

// WalkDirFunc is called for each file of a walk.
type WalkDirFunc func(path string, d DirEntry, err error) error

// WalkDir visits all files below root in the order of their names.
func WalkDir(fsys FS, root string, fn WalkDirFunc) error {
	info, err := Stat(fsys, root)
	if err != nil {
		err = fn(root, nil, err)
	} else {
		err = walk(fsys, root, FileInfoToDirEntry(info), fn)
	}
	if err == SkipDir || err == SkipAll {
		return nil
	}
	return err
}

func walk(fsys FS, name string, d DirEntry, fn WalkDirFunc) error {
	if err := fn(name, d, nil); err != nil || !d.IsDir() {
		if err == SkipDir && d.IsDir() {
			err = nil
		}
		return err
	}
	list, err := ReadDir(fsys, name)
	if err != nil {
		err = fn(name, d, err)
		if err != nil {
			if err == SkipDir && d.IsDir() {
				err = nil
			}
			return err
		}
	}
	for _, e := range list {
		below := name + "/" + e.Name()
		if name == "." {
			below = e.Name()
		}
		if err := walk(fsys, below, e, fn); err != nil {
			if err == SkipDir {
				break
			}
			return err
		}
	}
	return nil
}

type infoEntry struct{ info FileInfo }

func (e infoEntry) Name() string { return e.info.Name() }

func (e infoEntry) IsDir() bool { return e.info.IsDir() }

func (e infoEntry) Type() FileMode { return e.info.Mode().Type() }

func (e infoEntry) Info() (FileInfo, error) { return e.info, nil }

func (e infoEntry) String() string { return FormatDirEntry(e) }

// FileInfoToDirEntry makes a directory entry of info.
func FileInfoToDirEntry(info FileInfo) DirEntry {
	if info == nil {
		return nil
	}
	return infoEntry{info}
}
