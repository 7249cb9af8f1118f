// SPDX-License-Identifier: MIT

// Package os is the way to the operating system: files, environment, process.
package os

import (
	"errors"
	"internal/stdio"
	"io"
	"io/fs"
	"syscall"
)

// Flags of OpenFile.
const (
	O_RDONLY = syscall.O_RDONLY
	O_WRONLY = syscall.O_WRONLY
	O_RDWR   = syscall.O_RDWR
	O_APPEND = syscall.O_APPEND
	O_CREATE = syscall.O_CREAT
	O_EXCL   = syscall.O_EXCL
	O_SYNC   = syscall.O_SYNC
	O_TRUNC  = syscall.O_TRUNC
)

// Values of whence for Seek.
const (
	SEEK_SET = 0
	SEEK_CUR = 1
	SEEK_END = 2
)

const (
	PathSeparator     = '/'
	PathListSeparator = ':'
	DevNull           = "/dev/null"
)

// File is an open file. Its descriptor is in fd.go.
type File struct {
	fd      int
	use     int32 // fileClosed, and fileUser for each who uses fd
	blocks  bool  // Fd has been called: who reads waits in the kernel
	ours    bool  // it does not block because this package has said so
	poll    poller
	name    string
	appends bool
	dir     []dirEntry // entries read but not yet given out
	dirEOF  bool
}

// The standard streams.
var (
	Stdin  = NewFile(0, "/dev/stdin")
	Stdout = NewFile(1, "/dev/stdout")
	Stderr = NewFile(2, "/dev/stderr")
)

func init() {
	stdio.Stdout = func(b []byte) (int, error) { return Stdout.Write(b) }
	stdio.Stdin = func(b []byte) (int, error) { return Stdin.Read(b) }
}

// net_newUnixFile is how package net makes a File of a socket, which does not
// block.
//
//go:linkname net_newUnixFile net.newUnixFile
func net_newUnixFile(fd int, name string) *File {
	f := newFile(fd, name)
	f.open()
	return f
}

func newFile(fd int, name string) *File { return &File{fd: fd, use: fileUser, name: name} }

// NewFile makes a File of a descriptor. If that does not block, who reads waits
// as for one that this package has made.
func NewFile(fd uintptr, name string) *File {
	if int(fd) < 0 {
		return nil
	}
	f := newFile(int(fd), name)
	if flags, errno := status(f.fd); errno == 0 {
		f.appends = flags&O_APPEND != 0
		if flags&nonblock != 0 {
			f.open()
		}
	}
	return f
}

// Open opens a file for reading.
func Open(name string) (*File, error) { return OpenFile(name, O_RDONLY, 0) }

// Create creates or truncates a file, for reading and writing.
func Create(name string) (*File, error) {
	return OpenFile(name, O_RDWR|O_CREATE|O_TRUNC, 0666)
}

// OpenFile opens a file in any way.
func OpenFile(name string, flag int, perm FileMode) (*File, error) {
	fd, pollable, errno := open(name, flag|syscall.O_CLOEXEC, unixMode(perm))
	if errno != 0 {
		return nil, pathError("open", name, errno)
	}
	return openedFile(fd, name, flag, pollable), nil
}

func openedFile(fd int, name string, flag int, pollable bool) *File {
	f := newFile(fd, name)
	f.appends = flag&O_APPEND != 0
	if pollable {
		f.mayPoll(false)
	}
	return f
}

// Name is the name that the file was opened with.
func (f *File) Name() string { return f.name }

func (f *File) err(op string, errno int) error { return pathError(op, f.name, errno) }

func (f *File) Read(b []byte) (n int, err error) {
	if err := f.begin("read"); err != nil {
		return 0, err
	}
	if len(b) > 0 {
		n, err = f.read(b)
	}
	f.end()
	if err == nil && n == 0 && len(b) > 0 {
		return 0, io.EOF
	}
	return n, f.wrap("read", err)
}

// ReadAt reads len(b) bytes at off, or up to the end of the file.
func (f *File) ReadAt(b []byte, off int64) (n int, err error) {
	if err := f.begin("read"); err != nil {
		return 0, err
	}
	defer f.end()
	if off < 0 {
		return 0, &PathError{Op: "readat", Path: f.name, Err: errors.New("negative offset")}
	}
	for len(b) > 0 {
		k, errno := pread(f.fd, b, off)
		if errno != 0 {
			return n, f.err("read", errno)
		}
		if k == 0 {
			return n, io.EOF
		}
		n += k
		b = b[k:]
		off += int64(k)
	}
	return
}

func (f *File) Write(b []byte) (n int, err error) {
	if err := f.begin("write"); err != nil {
		return 0, err
	}
	n, err = f.write(b)
	f.end()
	return n, f.wrap("write", err)
}

// WriteString writes s.
func (f *File) WriteString(s string) (n int, err error) {
	if err := f.begin("write"); err != nil {
		return 0, err
	}
	if f.poll.desc != 0 {
		n, err = f.write([]byte(s))
	} else {
		var errno int
		n, errno = writeString(f.fd, s)
		for errno == 0 && n < len(s) {
			var k int
			k, errno = writeString(f.fd, s[n:])
			n += k
		}
		err = errnoError(errno)
	}
	f.end()
	return n, f.wrap("write", err)
}

var errAppend = errors.New("os: invalid use of WriteAt on file opened with O_APPEND")

// WriteAt writes b at off.
func (f *File) WriteAt(b []byte, off int64) (n int, err error) {
	if err := f.begin("write"); err != nil {
		return 0, err
	}
	defer f.end()
	if f.appends {
		return 0, errAppend
	}
	if off < 0 {
		return 0, &PathError{Op: "writeat", Path: f.name, Err: errors.New("negative offset")}
	}
	n, errno := pwrite(f.fd, b, off)
	return n, f.err("write", errno)
}

// Seek sets the offset of the next Read or Write.
func (f *File) Seek(offset int64, whence int) (ret int64, err error) {
	if err := f.begin("seek"); err != nil {
		return 0, err
	}
	defer f.end()
	ret, errno := seek(f.fd, offset, whence)
	if errno == 0 {
		f.dir, f.dirEOF = nil, false
	}
	return ret, f.err("seek", errno)
}

// Sync writes what the system has buffered to the disk.
func (f *File) Sync() error {
	if err := f.begin("sync"); err != nil {
		return err
	}
	defer f.end()
	return f.err("sync", fsync(f.fd))
}

// Truncate changes the file's size.
func (f *File) Truncate(size int64) error {
	if err := f.begin("truncate"); err != nil {
		return err
	}
	defer f.end()
	return f.err("truncate", ftruncate(f.fd, size))
}

// Chmod changes the file's mode.
func (f *File) Chmod(mode FileMode) error {
	if err := f.begin("chmod"); err != nil {
		return err
	}
	defer f.end()
	return f.err("chmod", fchmod(f.fd, unixMode(mode)))
}

// Chdir makes the directory f the current one.
func (f *File) Chdir() error {
	if err := f.begin("chdir"); err != nil {
		return err
	}
	defer f.end()
	return f.err("chdir", fchdir(f.fd))
}

// ReadFile reads a whole file.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := 512
	var st syscall.Stat_t
	if fstat(f.fd, &st) == 0 && st.Size < 1<<40 && int(st.Size)+1 > size {
		size = int(st.Size) + 1 // one more to see the end
	}
	b := make([]byte, 0, size)
	for {
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return b, err
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

// WriteFile writes a whole file.
func WriteFile(name string, data []byte, perm FileMode) error {
	f, err := OpenFile(name, O_WRONLY|O_CREATE|O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err1 := f.Close(); err == nil {
		err = err1
	}
	return err
}

// Mkdir makes a directory.
func Mkdir(name string, perm FileMode) error {
	return pathError("mkdir", name, mkdir(name, unixMode(perm)))
}

// MkdirAll makes a directory and those above it that are missing.
func MkdirAll(path string, perm FileMode) error {
	if st, err := Stat(path); err == nil {
		if st.IsDir() {
			return nil
		}
		return pathError("mkdir", path, int(syscall.ENOTDIR))
	}
	end := len(path)
	for end > 0 && path[end-1] == '/' {
		end--
	}
	for end > 0 && path[end-1] != '/' {
		end--
	}
	for end > 0 && path[end-1] == '/' {
		end--
	}
	if end > 0 {
		if err := MkdirAll(path[:end], perm); err != nil {
			return err
		}
	}
	err := Mkdir(path, perm)
	if err != nil {
		if st, err1 := Lstat(path); err1 == nil && st.IsDir() {
			return nil
		}
	}
	return err
}

// Remove removes a file or an empty directory.
func Remove(name string) error {
	e := unlink(name)
	if e == 0 {
		return nil
	}
	e1 := rmdir(name)
	if e1 == 0 {
		return nil
	}
	if e1 != int(syscall.ENOTDIR) {
		e = e1
	}
	return pathError("remove", name, e)
}

// RemoveAll removes a file or directory with everything below it; it is no
// error if there is none.
func RemoveAll(path string) error {
	if path == "" {
		return nil
	}
	if n := len(path); path == "." || n > 1 && path[n-2:] == "/." {
		return pathError("RemoveAll", path, int(syscall.EINVAL))
	}
	err := Remove(path)
	if err == nil || IsNotExist(err) {
		return nil
	}
	st, serr := Lstat(path)
	if serr != nil {
		if IsNotExist(serr) {
			return nil
		}
		return serr
	}
	if !st.IsDir() {
		return err
	}
	list, lerr := ReadDir(path)
	var first error
	for _, e := range list {
		if err := RemoveAll(path + "/" + e.Name()); err != nil && first == nil {
			first = err
		}
	}
	if first == nil {
		first = lerr
	}
	err = Remove(path)
	if err == nil || IsNotExist(err) {
		return nil
	}
	if first != nil {
		return first
	}
	return err
}

func linkError(op, old, new string, errno int) error {
	if errno == 0 {
		return nil
	}
	return &LinkError{op, old, new, syscall.Errno(errno)}
}

// Rename renames a file.
func Rename(oldpath, newpath string) error {
	if st, err := Lstat(newpath); err == nil && st.IsDir() {
		if ost, err := Lstat(oldpath); err != nil {
			return linkError("rename", oldpath, newpath, int(cause(err).(syscall.Errno)))
		} else if !ost.IsDir() {
			return linkError("rename", oldpath, newpath, int(syscall.EEXIST))
		}
	}
	return linkError("rename", oldpath, newpath, rename(oldpath, newpath))
}

// Link makes a hard link.
func Link(oldname, newname string) error {
	return linkError("link", oldname, newname, link(oldname, newname))
}

// Symlink makes a symbolic link.
func Symlink(oldname, newname string) error {
	return linkError("symlink", oldname, newname, symlink(oldname, newname))
}

// Readlink returns what a symbolic link says.
func Readlink(name string) (string, error) {
	s, errno := readlink(name)
	return s, pathError("readlink", name, errno)
}

// Truncate changes a file's size.
func Truncate(name string, size int64) error {
	return pathError("truncate", name, truncate(name, size))
}

// Chmod changes a file's mode.
func Chmod(name string, mode FileMode) error {
	return pathError("chmod", name, chmod(name, unixMode(mode)))
}

// Chdir changes the current directory.
func Chdir(dir string) error { return pathError("chdir", dir, chdir(dir)) }

// Getwd is the current directory.
func Getwd() (dir string, err error) {
	if pwd := Getenv("PWD"); len(pwd) > 0 && pwd[0] == '/' {
		// The name by which the user went there, if it is right.
		var a, b syscall.Stat_t
		if stat(pwd, true, &a) == 0 && stat(".", true, &b) == 0 &&
			a.Dev == b.Dev && a.Ino == b.Ino {
			return pwd, nil
		}
	}
	dir, errno := getwd()
	if errno != 0 {
		return "", NewSyscallError("getwd", syscall.Errno(errno))
	}
	return dir, nil
}

// Pipe makes a pipe.
func Pipe() (r *File, w *File, err error) {
	a, b, errno := pipe()
	if errno != 0 {
		return nil, nil, NewSyscallError("pipe2", syscall.Errno(errno))
	}
	r, w = newFile(a, "|0"), newFile(b, "|1")
	r.mayPoll(false)
	w.mayPoll(false)
	return r, w, nil
}

// DirFS is the file system below dir.
func DirFS(dir string) fs.FS { return dirFS(dir) }

type dirFS string

func (d dirFS) path(op, name string) (string, error) {
	if d == "" {
		return "", &PathError{Op: op, Path: name, Err: errors.New("os: DirFS with empty root")}
	}
	if !fs.ValidPath(name) {
		return "", &PathError{Op: op, Path: name, Err: ErrInvalid}
	}
	return string(d) + "/" + name, nil
}

func (d dirFS) Open(name string) (fs.File, error) {
	full, err := d.path("open", name)
	if err != nil {
		return nil, err
	}
	f, err := Open(full)
	if err != nil {
		err.(*PathError).Path = name
		return nil, err
	}
	return f, nil
}

func (d dirFS) ReadFile(name string) ([]byte, error) {
	full, err := d.path("readfile", name)
	if err != nil {
		return nil, err
	}
	b, err := ReadFile(full)
	if e, ok := err.(*PathError); ok {
		e.Path = name
	}
	return b, err
}

func (d dirFS) ReadDir(name string) ([]DirEntry, error) {
	full, err := d.path("readdir", name)
	if err != nil {
		return nil, err
	}
	list, err := ReadDir(full)
	if e, ok := err.(*PathError); ok {
		e.Path = name
	}
	return list, err
}

func (d dirFS) Stat(name string) (fs.FileInfo, error) {
	full, err := d.path("stat", name)
	if err != nil {
		return nil, err
	}
	st, err := Stat(full)
	if e, ok := err.(*PathError); ok {
		e.Path = name
		return nil, err
	}
	return st, err
}
