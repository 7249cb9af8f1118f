// SPDX-License-Identifier: MIT

package os

import (
	"io"
	"io/fs"
	"syscall"
	"time"
)

type (
	FileInfo = fs.FileInfo
	FileMode = fs.FileMode
	DirEntry = fs.DirEntry
)

const (
	ModeDir        = fs.ModeDir
	ModeAppend     = fs.ModeAppend
	ModeExclusive  = fs.ModeExclusive
	ModeTemporary  = fs.ModeTemporary
	ModeSymlink    = fs.ModeSymlink
	ModeDevice     = fs.ModeDevice
	ModeNamedPipe  = fs.ModeNamedPipe
	ModeSocket     = fs.ModeSocket
	ModeSetuid     = fs.ModeSetuid
	ModeSetgid     = fs.ModeSetgid
	ModeCharDevice = fs.ModeCharDevice
	ModeSticky     = fs.ModeSticky
	ModeIrregular  = fs.ModeIrregular
	ModeType       = fs.ModeType
	ModePerm       = fs.ModePerm
)

// unixMode makes the system's mode of m.
func unixMode(m FileMode) int {
	u := int(m.Perm())
	if m&ModeSetuid != 0 {
		u |= 04000
	}
	if m&ModeSetgid != 0 {
		u |= 02000
	}
	if m&ModeSticky != 0 {
		u |= 01000
	}
	return u
}

// goMode makes a FileMode of the system's mode.
func goMode(u uint32) FileMode {
	m := FileMode(u & 0777)
	switch u & 0170000 {
	case 0060000:
		m |= ModeDevice
	case 0020000:
		m |= ModeDevice | ModeCharDevice
	case 0040000:
		m |= ModeDir
	case 0010000:
		m |= ModeNamedPipe
	case 0120000:
		m |= ModeSymlink
	case 0140000:
		m |= ModeSocket
	}
	if u&04000 != 0 {
		m |= ModeSetuid
	}
	if u&02000 != 0 {
		m |= ModeSetgid
	}
	if u&01000 != 0 {
		m |= ModeSticky
	}
	return m
}

type fileStat struct {
	name string
	raw  syscall.Stat_t
}

func (s *fileStat) Name() string       { return s.name }
func (s *fileStat) Size() int64        { return s.raw.Size }
func (s *fileStat) Mode() FileMode     { return goMode(s.raw.Mode) }
func (s *fileStat) ModTime() time.Time { return time.Unix(s.raw.Mtim.Sec, s.raw.Mtim.Nsec) }
func (s *fileStat) IsDir() bool        { return s.Mode().IsDir() }
func (s *fileStat) Sys() any           { return &s.raw }

// base is the last element of a name.
func base(name string) string {
	for len(name) > 1 && name[len(name)-1] == '/' {
		name = name[:len(name)-1]
	}
	i := len(name)
	for i > 0 && name[i-1] != '/' {
		i--
	}
	if i < len(name) {
		return name[i:]
	}
	return name
}

// Stat describes a file; it follows symbolic links.
func Stat(name string) (FileInfo, error) {
	s := &fileStat{name: base(name)}
	if errno := stat(name, true, &s.raw); errno != 0 {
		return nil, pathError("stat", name, errno)
	}
	return s, nil
}

// Lstat is Stat that describes a symbolic link itself.
func Lstat(name string) (FileInfo, error) {
	s := &fileStat{name: base(name)}
	if errno := stat(name, false, &s.raw); errno != 0 {
		return nil, pathError("lstat", name, errno)
	}
	return s, nil
}

// Stat describes the open file.
func (f *File) Stat() (FileInfo, error) {
	if err := f.begin("stat"); err != nil {
		return nil, err
	}
	defer f.end()
	s := &fileStat{name: base(f.name)}
	if errno := fstat(f.fd, &s.raw); errno != 0 {
		return nil, f.err("stat", errno)
	}
	return s, nil
}

// SameFile reports whether two results of Stat describe one file.
func SameFile(a, b FileInfo) bool {
	x, ok := a.(*fileStat)
	y, ok1 := b.(*fileStat)
	return ok && ok1 && x.raw.Dev == y.raw.Dev && x.raw.Ino == y.raw.Ino
}

type dirEntry struct {
	dir  string
	name string
	kind FileMode
}

func (e *dirEntry) Name() string   { return e.name }
func (e *dirEntry) IsDir() bool    { return e.kind.IsDir() }
func (e *dirEntry) Type() FileMode { return e.kind }
func (e *dirEntry) String() string { return fs.FormatDirEntry(e) }

func (e *dirEntry) Info() (FileInfo, error) { return Lstat(e.dir + "/" + e.name) }

// fillDir reads more entries.
func (f *File) fillDir() error {
	buf := make([]byte, 8192)
	n, errno := getdents(f.fd, buf)
	if errno != 0 {
		return f.err("readdirent", errno)
	}
	if n == 0 {
		f.dirEOF = true
	}
	// Each entry is its type (as in a mode, shifted) and its name, with a 0.
	for i := 0; i < n; {
		k := i + 1
		for buf[k] != 0 {
			k++
		}
		name := string(buf[i+1 : k])
		kind := goMode(uint32(buf[i]) << 12).Type()
		if buf[i] == 0 {
			info, err := Lstat(f.name + "/" + name)
			if IsNotExist(err) {
				i = k + 1
				continue
			}
			if err != nil {
				return err
			}
			kind = info.Mode().Type()
		}
		f.dir = append(f.dir, dirEntry{f.name, name, kind})
		i = k + 1
	}
	return nil
}

// ReadDir reads n entries of the directory, or all if n <= 0.
func (f *File) ReadDir(n int) ([]DirEntry, error) {
	if err := f.begin("readdir"); err != nil {
		return nil, err
	}
	defer f.end()
	var err error
	for err == nil && !f.dirEOF && (n <= 0 || len(f.dir) < n) {
		err = f.fillDir()
	}
	k := len(f.dir)
	if n > 0 && k > n {
		k = n
	}
	list := make([]DirEntry, k)
	for i := range list {
		list[i] = &f.dir[i]
	}
	f.dir = f.dir[k:]
	if err == nil && n > 0 && k == 0 {
		err = io.EOF
	}
	return list, err
}

// Readdirnames is ReadDir that returns only names.
func (f *File) Readdirnames(n int) (names []string, err error) {
	list, err := f.ReadDir(n)
	names = make([]string, len(list))
	for i, e := range list {
		names[i] = e.Name()
	}
	return names, err
}

// Readdir is ReadDir with a description of each file.
func (f *File) Readdir(n int) ([]FileInfo, error) {
	list, err := f.ReadDir(n)
	infos := make([]FileInfo, 0, len(list))
	for _, e := range list {
		info, err := e.Info()
		if IsNotExist(err) {
			continue
		}
		if err != nil {
			return infos, err
		}
		infos = append(infos, info)
	}
	return infos, err
}

type byName []DirEntry

// down lets element i of a heap of n sink to its place.
func (a byName) down(i, n int) {
	for {
		c := 2*i + 1
		if c >= n {
			return
		}
		if c+1 < n && a[c].Name() < a[c+1].Name() {
			c++
		}
		if a[i].Name() >= a[c].Name() {
			return
		}
		a[i], a[c] = a[c], a[i]
		i = c
	}
}

func (a byName) sort() {
	for i := len(a)/2 - 1; i >= 0; i-- {
		a.down(i, len(a))
	}
	for n := len(a) - 1; n > 0; n-- {
		a[0], a[n] = a[n], a[0]
		a.down(0, n)
	}
}

// ReadDir reads a directory, sorted by name.
func ReadDir(name string) ([]DirEntry, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	byName(list).sort()
	return list, err
}
