// SPDX-License-Identifier: MIT

// Package fs has the interfaces of file systems.
package fs

import (
	"internal/oserror"
	"time"
	"unicode/utf8"
)

// An FS is a tree of files.
type FS interface {
	Open(name string) (File, error)
}

// A File is an open file.
type File interface {
	Stat() (FileInfo, error)
	Read([]byte) (int, error)
	Close() error
}

// A DirEntry is an entry of a directory.
type DirEntry interface {
	Name() string
	IsDir() bool
	Type() FileMode
	Info() (FileInfo, error)
}

// A ReadDirFile is a directory.
type ReadDirFile interface {
	File
	ReadDir(n int) ([]DirEntry, error)
}

// A FileInfo describes a file.
type FileInfo interface {
	Name() string
	Size() int64
	Mode() FileMode
	ModTime() time.Time
	IsDir() bool
	Sys() any
}

// ValidPath reports whether a name is right for Open: without "." and ".."
// and empty elements, but "." alone.
func ValidPath(name string) bool {
	if !utf8.ValidString(name) {
		return false
	}
	if name == "." {
		return true
	}
	for {
		i := 0
		for i < len(name) && name[i] != '/' {
			i++
		}
		elem := name[:i]
		if elem == "" || elem == "." || elem == ".." {
			return false
		}
		if i == len(name) {
			return true
		}
		name = name[i+1:]
	}
}

// Errors of file systems.
var (
	ErrInvalid    = oserror.ErrInvalid
	ErrPermission = oserror.ErrPermission
	ErrExist      = oserror.ErrExist
	ErrNotExist   = oserror.ErrNotExist
	ErrClosed     = oserror.ErrClosed
)

// A FileMode is a file's type and permissions.
type FileMode uint32

const (
	ModeDir        FileMode = 1 << (32 - 1 - iota) // d
	ModeAppend                                     // a
	ModeExclusive                                  // l
	ModeTemporary                                  // T
	ModeSymlink                                    // L
	ModeDevice                                     // D
	ModeNamedPipe                                  // p
	ModeSocket                                     // S
	ModeSetuid                                     // u
	ModeSetgid                                     // g
	ModeCharDevice                                 // c
	ModeSticky                                     // t
	ModeIrregular                                  // ?

	ModeType = ModeDir | ModeSymlink | ModeNamedPipe | ModeSocket |
		ModeDevice | ModeCharDevice | ModeIrregular

	ModePerm FileMode = 0777
)

func (m FileMode) String() string {
	const kinds, perms = "dalTLDpSugct?", "rwxrwxrwx"
	var b []byte
	for i := 0; i < len(kinds); i++ {
		if m&(1<<uint(31-i)) != 0 {
			b = append(b, kinds[i])
		}
	}
	if len(b) == 0 {
		b = append(b, '-')
	}
	for i := 0; i < len(perms); i++ {
		c := byte('-')
		if m&(1<<uint(8-i)) != 0 {
			c = perms[i]
		}
		b = append(b, c)
	}
	return string(b)
}

// IsDir reports whether m is a directory's.
func (m FileMode) IsDir() bool { return m&ModeDir != 0 }

// IsRegular reports whether m is a regular file's.
func (m FileMode) IsRegular() bool { return m&ModeType == 0 }

// Perm is the permission bits of m.
func (m FileMode) Perm() FileMode { return m & ModePerm }

// Type is the type bits of m.
func (m FileMode) Type() FileMode { return m & ModeType }

// A PathError says which operation failed on which file, and why.
type PathError struct {
	Op   string
	Path string
	Err  error
}

func (e *PathError) Error() string { return e.Op + " " + e.Path + ": " + e.Err.Error() }

func (e *PathError) Unwrap() error { return e.Err }

// Timeout reports whether time ran out.
func (e *PathError) Timeout() bool {
	t, ok := e.Err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

// FormatFileInfo shows a file in one line: "-rw-r--r-- 100 1970-01-01
// 12:00:00 name", with a slash behind a directory.
func FormatFileInfo(info FileInfo) string {
	return info.Mode().String() + " " + decimal(info.Size()) + " " +
		info.ModTime().Format(time.DateTime) + " " + slashed(info)
}

// FormatDirEntry shows an entry in one line: its type and its name, with a
// slash behind a directory.
func FormatDirEntry(dir DirEntry) string {
	mode := dir.Type().String()
	return mode[:len(mode)-9] + " " + slashed(dir)
}

func slashed(f interface {
	Name() string
	IsDir() bool
}) string {
	if f.IsDir() {
		return f.Name() + "/"
	}
	return f.Name()
}

func decimal(n int64) string {
	sign, u := "", uint64(n)
	if n < 0 {
		sign, u = "-", -u
	}
	var b []byte
	for ; u >= 10; u /= 10 {
		b = append(b, byte('0'+u%10))
	}
	b = append(b, byte('0'+u))
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return sign + string(b)
}
