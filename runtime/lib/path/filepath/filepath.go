// SPDX-License-Identifier: MIT

// Package filepath works on file names.
package filepath

import (
	"errors"
	"internal/glob"
	"io/fs"
	"os"
	"path"
	"strings"
)

const (
	Separator     = '/'
	ListSeparator = ':'
)

// ErrBadPattern says that a pattern is malformed.
var ErrBadPattern = errors.New("syntax error in pattern")

// What a WalkFunc returns to leave out a directory, or all the rest.
var (
	SkipDir = fs.SkipDir
	SkipAll = fs.SkipAll
)

func Clean(p string) string { return path.Clean(p) }

func Split(p string) (dir, file string) { return path.Split(p) }

func Join(elem ...string) string {
	for i, e := range elem {
		if e != "" {
			return path.Join(elem[i:]...)
		}
	}
	return ""
}

func Ext(p string) string { return path.Ext(p) }

func Base(p string) string { return path.Base(p) }

func Dir(p string) string { return path.Dir(p) }

func IsAbs(p string) bool { return path.IsAbs(p) }

func ToSlash(p string) string { return p }

func FromSlash(p string) string { return p }

func VolumeName(p string) string { return "" }

// Match is path.Match, but finds no error behind the part of a pattern that
// does not match.
func Match(pattern, name string) (matched bool, err error) {
	matched, bad := glob.Match(pattern, name, false)
	if bad {
		err = ErrBadPattern
	}
	return matched, err
}

// IsLocal reports whether p stays below the folder that it is used in.
func IsLocal(p string) bool {
	if p == "" || IsAbs(p) {
		return false
	}
	p = Clean(p)
	return p != ".." && (len(p) < 3 || p[:3] != "../")
}

// SplitList splits a list such as that of PATH.
func SplitList(p string) []string {
	if p == "" {
		return []string{}
	}
	var list []string
	start := 0
	for i := 0; i < len(p); i++ {
		if p[i] == ListSeparator {
			list = append(list, p[start:i])
			start = i + 1
		}
	}
	return append(list, p[start:])
}

// Abs makes p absolute by the current folder.
func Abs(p string) (string, error) {
	if IsAbs(p) {
		return Clean(p), nil
	}
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return Join(wd, p), nil
}

// Rel finds a path that, joined to base, is target.
func Rel(base, target string) (string, error) {
	b, t := Clean(base), Clean(target)
	if b == t {
		return ".", nil
	}
	if b == "." {
		b = ""
	}
	if t == "." {
		t = ""
	}
	if IsAbs(b) != IsAbs(t) {
		return "", errors.New("Rel: can't make " + target + " relative to " + base)
	}
	// Skip the elements that they share.
	bi, ti := 0, 0
	for {
		be, te := bi, ti
		for be < len(b) && b[be] != '/' {
			be++
		}
		for te < len(t) && t[te] != '/' {
			te++
		}
		if b[bi:be] != t[ti:te] || be >= len(b) && te >= len(t) {
			break
		}
		if be >= len(b) && bi >= len(b) {
			break
		}
		bi, ti = min(be+1, len(b)), min(te+1, len(t))
	}
	if bi == 1 && b == "/" {
		bi = len(b)
	}
	b, t = b[bi:], t[ti:]
	if b == ".." || len(b) > 2 && b[:3] == "../" {
		return "", errors.New("Rel: can't make " + target + " relative to " + base)
	}
	if b == "" {
		return t, nil
	}
	up := ".."
	for i := 0; i < len(b); i++ {
		if b[i] == '/' {
			up += "/.."
		}
	}
	if t != "" {
		up += "/" + t
	}
	return up, nil
}

// WalkFunc is called for each file of Walk.
type WalkFunc func(path string, info fs.FileInfo, err error) error

// Walk visits all files below root in the order of their names.
func Walk(root string, fn WalkFunc) error {
	info, err := os.Lstat(root)
	if err != nil {
		err = fn(root, nil, err)
	} else {
		err = walk(root, info, fn)
	}
	if err == SkipDir || err == SkipAll {
		return nil
	}
	return err
}

func walk(p string, info fs.FileInfo, fn WalkFunc) error {
	if !info.IsDir() {
		return fn(p, info, nil)
	}
	list, err := os.ReadDir(p)
	err1 := fn(p, info, err)
	if err != nil || err1 != nil {
		return err1
	}
	for _, e := range list {
		name := Join(p, e.Name())
		info, err := os.Lstat(name)
		if err != nil {
			if err := fn(name, info, err); err != nil && err != SkipDir {
				return err
			}
			continue
		}
		if err := walk(name, info, fn); err != nil {
			if err != SkipDir {
				return err
			}
			if !info.IsDir() {
				return nil // skip the rest of the folder
			}
		}
	}
	return nil
}

// WalkDir is Walk with directory entries.
func WalkDir(root string, fn fs.WalkDirFunc) error {
	info, err := os.Lstat(root)
	if err != nil {
		err = fn(root, nil, err)
	} else {
		err = walkDir(root, fs.FileInfoToDirEntry(info), fn)
	}
	if err == SkipDir || err == SkipAll {
		return nil
	}
	return err
}

func walkDir(p string, d fs.DirEntry, fn fs.WalkDirFunc) error {
	if err := fn(p, d, nil); err != nil || !d.IsDir() {
		if err == SkipDir && d.IsDir() {
			err = nil
		}
		return err
	}
	list, err := os.ReadDir(p)
	if err != nil {
		err = fn(p, d, err)
		if err != nil {
			if err == SkipDir && d.IsDir() {
				err = nil
			}
			return err
		}
	}
	for _, e := range list {
		if err := walkDir(Join(p, e.Name()), e, fn); err != nil {
			if err == SkipDir {
				break
			}
			return err
		}
	}
	return nil
}

// Glob returns the names of all files that match pattern, or nil.
func Glob(pattern string) (matches []string, err error) {
	if _, err := Match(pattern, ""); err != nil {
		return nil, err
	}
	if !hasMeta(pattern) {
		if _, err := os.Lstat(pattern); err != nil {
			return nil, nil
		}
		return []string{pattern}, nil
	}
	dir, file := Split(pattern)
	switch dir {
	case "":
		dir = "."
	case "/":
	default:
		dir = dir[:len(dir)-1]
	}
	dirs := []string{dir}
	if hasMeta(dir) {
		if dir == pattern {
			return nil, ErrBadPattern
		}
		dirs, err = Glob(dir)
		if err != nil {
			return nil, err
		}
	}
	for _, d := range dirs {
		info, err := os.Stat(d)
		if err != nil || !info.IsDir() {
			continue
		}
		list, _ := os.ReadDir(d)
		for _, e := range list {
			ok, err := Match(file, e.Name())
			if err != nil {
				return matches, err
			}
			if ok {
				matches = append(matches, Join(d, e.Name()))
			}
		}
	}
	return
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

// EvalSymlinks returns p without symbolic links.
func EvalSymlinks(p string) (string, error) {
	done := ""
	if IsAbs(p) {
		done = "/"
	}
	for links := 0; p != ""; {
		i := 0
		for i < len(p) && p[i] != '/' {
			i++
		}
		elem := p[:i]
		p = p[min(i+1, len(p)):]
		if elem == "" || elem == "." {
			continue
		}
		next := Join(done, elem)
		if elem == ".." {
			if Base(done) == ".." || done == "" {
				done = Clean(done + "/..")
				if done[0] == '/' {
					done = ".."
				}
				continue
			}
			done = next
			if done == "." {
				done = ""
			}
			continue
		}
		info, err := os.Lstat(next)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if !info.IsDir() && p != "" {
				return "", &fs.PathError{Op: "lstat", Path: next + "/" + p, Err: errNotDir}
			}
			done = next
			continue
		}
		if links++; links > 255 {
			return "", errors.New("EvalSymlinks: too many links")
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if IsAbs(target) {
			done = "/"
		}
		if p != "" {
			target += "/" + p
		}
		p = target
	}
	if done == "" {
		return ".", nil
	}
	return Clean(done), nil
}

var errNotDir = errors.New("not a directory")

// Localize is the name of a file of an io/fs tree as a path.
func Localize(path string) (string, error) {
	if !fs.ValidPath(path) || strings.IndexByte(path, 0) >= 0 {
		return "", errInvalidPath
	}
	return path, nil
}

var errInvalidPath = errors.New("invalid path")

// HasPrefix is strings.HasPrefix: it knows nothing of paths.
func HasPrefix(p, prefix string) bool { return strings.HasPrefix(p, prefix) }
