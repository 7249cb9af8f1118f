// SPDX-License-Identifier: MIT

package os

import (
	"io"
	"io/fs"
	"syscall"
	"time"
)

// IsPathSeparator reports whether c separates the elements of a path.
func IsPathSeparator(c uint8) bool { return c == PathSeparator }

// Chown sets who owns a file: -1 leaves the user or the group as it is.
func Chown(name string, uid, gid int) error {
	return pathError("chown", name, chown(name, uid, gid))
}

// Lchown is Chown of a symbolic link itself.
func Lchown(name string, uid, gid int) error {
	return pathError("lchown", name, lchown(name, uid, gid))
}

// Chown sets who owns the file.
func (f *File) Chown(uid, gid int) error {
	if err := f.begin("chown"); err != nil {
		return err
	}
	defer f.end()
	return f.err("chown", fchown(f.fd, uid, gid))
}

// Chtimes sets when a file was read and written last; a zero Time leaves what
// is there.
func Chtimes(name string, atime time.Time, mtime time.Time) error {
	asec, ansec := unixTime(atime)
	msec, mnsec := unixTime(mtime)
	return pathError("chtimes", name, utimes(name, asec, ansec, msec, mnsec))
}

func unixTime(t time.Time) (sec, nsec int64) {
	if t.IsZero() {
		return 0, -1
	}
	return t.Unix(), int64(t.Nanosecond())
}

// Getgroups is the groups that the process belongs to.
func Getgroups() ([]int, error) {
	list, errno := getgroups()
	if errno != 0 {
		return nil, NewSyscallError("getgroups", syscall.Errno(errno))
	}
	return list, nil
}

// ReadFrom writes to f what r has, until its end.
func (f *File) ReadFrom(r io.Reader) (n int64, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	return io.Copy(writerOnly{f}, r)
}

// WriteTo writes to w what is left of f.
func (f *File) WriteTo(w io.Writer) (n int64, err error) {
	if f == nil {
		return 0, ErrInvalid
	}
	return io.Copy(w, fileWithoutWriteTo{File: f})
}

// These hide ReadFrom and WriteTo from io.Copy: two of one name at the same
// depth are none.
type writerOnly struct{ io.Writer }

// Package net sends a file of this kind without reading it.
type fileWithoutWriteTo struct {
	noWriteTo
	*File
}

type noWriteTo struct{}

func (noWriteTo) WriteTo(io.Writer) (int64, error) { panic("os: WriteTo of what has none") }

// CopyFS copies the tree fsys to the directory dir, which it makes. No file
// may be there already.
func CopyFS(dir string, fsys fs.FS) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := dir
		if name != "." {
			to += "/" + name
		}
		switch d.Type() {
		case ModeDir:
			return MkdirAll(to, 0777)
		case ModeSymlink:
			link, err := fs.ReadLink(fsys, name)
			if err != nil {
				return err
			}
			return Symlink(link, to)
		case 0:
			return copyFile(to, fsys, name)
		}
		return &PathError{Op: "CopyFS", Path: name, Err: ErrInvalid}
	})
}

func copyFile(to string, fsys fs.FS, name string) error {
	r, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	w, err := OpenFile(to, O_CREATE|O_EXCL|O_WRONLY, 0666|info.Mode()&0777)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		w.Close()
		return &PathError{Op: "Copy", Path: to, Err: err}
	}
	return w.Close()
}

// ReadLink and Lstat make the file systems of DirFS know symbolic links.
func (d dirFS) ReadLink(name string) (string, error) {
	full, err := d.path("readlink", name)
	if err != nil {
		return "", err
	}
	return Readlink(full)
}

func (d dirFS) Lstat(name string) (FileInfo, error) {
	full, err := d.path("lstat", name)
	if err != nil {
		return nil, err
	}
	info, err := Lstat(full)
	if e, ok := err.(*PathError); ok {
		e.Path = name
	}
	return info, err
}
