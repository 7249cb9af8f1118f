// SPDX-License-Identifier: MIT

package os

import (
	"errors"
	"strconv"
)

var errSeparator = errors.New("pattern contains path separator")

// tempNames returns what goes before and after the random part of a name.
func tempNames(dir, pattern, op string) (prefix, suffix string, err error) {
	prefix = pattern
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '/' {
			return "", "", &PathError{Op: op, Path: pattern, Err: errSeparator}
		}
	}
	for i := len(pattern) - 1; i >= 0; i-- {
		if pattern[i] == '*' {
			prefix, suffix = pattern[:i], pattern[i+1:]
			break
		}
	}
	if n := len(dir); n > 0 && dir[n-1] == '/' {
		prefix = dir + prefix
	} else {
		prefix = dir + "/" + prefix
	}
	return prefix, suffix, nil
}

// tempName tries random names until one is free.
func tempName(dir, pattern, op string, try func(name string) error) error {
	if dir == "" {
		dir = TempDir()
	}
	prefix, suffix, err := tempNames(dir, pattern, op)
	if err != nil {
		return err
	}
	// Only one number is drawn, so that which names are taken makes no
	// difference to anything else that a seed says.
	n := uint32(random())
	for i := 0; ; i++ {
		err := try(prefix + strconv.Itoa(int(n)) + suffix)
		n += 0x9e3779b9
		if err != nil && IsExist(err) && i < 10000 {
			continue
		}
		if err != nil && IsExist(err) {
			return &PathError{Op: op, Path: prefix + "*" + suffix, Err: ErrExist}
		}
		if err != nil && IsNotExist(err) {
			if _, serr := Stat(dir); IsNotExist(serr) {
				return serr
			}
		}
		return err
	}
}

// CreateTemp creates a new file in dir (TempDir if empty); a random string
// replaces the last star of pattern, or goes at its end.
func CreateTemp(dir, pattern string) (f *File, err error) {
	err = tempName(dir, pattern, "createtemp", func(name string) (err error) {
		f, err = OpenFile(name, O_RDWR|O_CREATE|O_EXCL, 0600)
		return
	})
	return
}

// MkdirTemp makes a new directory like CreateTemp.
func MkdirTemp(dir, pattern string) (name string, err error) {
	err = tempName(dir, pattern, "mkdirtemp", func(try string) (err error) {
		if err = Mkdir(try, 0700); err == nil {
			name = try
		}
		return
	})
	return
}

// TempDir is the directory for temporary files.
func TempDir() string {
	if dir := Getenv("TMPDIR"); dir != "" {
		return dir
	}
	return "/tmp"
}
