// SPDX-License-Identifier: MIT

// Package ioutil has the old names of functions that now are in packages io
// and os.
package ioutil

import (
	"io"
	"io/fs"
	"os"
)

// Discard is a Writer that forgets everything.
var Discard io.Writer = io.Discard

// ReadAll reads up to the end or an error.
func ReadAll(r io.Reader) ([]byte, error) { return io.ReadAll(r) }

// ReadFile reads a whole file.
func ReadFile(filename string) ([]byte, error) { return os.ReadFile(filename) }

// WriteFile writes a file; perm is for one that does not exist yet.
func WriteFile(filename string, data []byte, perm fs.FileMode) error {
	return os.WriteFile(filename, data, perm)
}

// ReadDir describes the entries of a directory, sorted by name.
func ReadDir(dirname string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dirname)
	if err != nil {
		return nil, err
	}
	list := make([]fs.FileInfo, 0, len(entries))
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		list = append(list, info)
	}
	return list, nil
}

// NopCloser adds a Close that does nothing.
func NopCloser(r io.Reader) io.ReadCloser { return io.NopCloser(r) }

// TempFile is os.CreateTemp.
func TempFile(dir, pattern string) (f *os.File, err error) {
	return os.CreateTemp(dir, pattern)
}

// TempDir is os.MkdirTemp.
func TempDir(dir, pattern string) (name string, err error) {
	return os.MkdirTemp(dir, pattern)
}
