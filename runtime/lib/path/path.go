// SPDX-License-Identifier: MIT

// Package path works on paths with slashes.
package path

import "errors"

// ErrBadPattern says that a pattern of Match is malformed.
var ErrBadPattern = errors.New("syntax error in pattern")

// Clean returns the shortest path that names the same as p without looking
// at the file system: no empty, "." and inner ".." elements.
func Clean(p string) string {
	if p == "" {
		return "."
	}
	rooted := p[0] == '/'
	out := make([]byte, 0, len(p))
	if rooted {
		out = append(out, '/')
	}
	floor := len(out) // ".." cannot remove what is before it
	for i := 0; i < len(p); {
		if p[i] == '/' {
			i++
			continue
		}
		start := i
		for i < len(p) && p[i] != '/' {
			i++
		}
		elem := p[start:i]
		if elem == "." {
			continue
		}
		if elem == ".." {
			if len(out) > floor {
				n := len(out) - 1
				for n > floor && out[n] != '/' {
					n--
				}
				out = out[:n]
				continue
			}
			if rooted {
				continue
			}
		}
		if n := len(out); n > 0 && out[n-1] != '/' {
			out = append(out, '/')
		}
		out = append(out, elem...)
		if elem == ".." {
			floor = len(out)
		}
	}
	if len(out) == 0 {
		return "."
	}
	if string(out) == p {
		return p
	}
	return string(out)
}

// Split cuts p after its last slash.
func Split(p string) (dir, file string) {
	i := len(p)
	for i > 0 && p[i-1] != '/' {
		i--
	}
	return p[:i], p[i:]
}

// Join joins the elements that are not empty with slashes, and cleans.
func Join(elem ...string) string {
	var b []byte
	for _, e := range elem {
		if e == "" && len(b) == 0 {
			continue
		}
		if len(b) > 0 {
			b = append(b, '/')
		}
		b = append(b, e...)
	}
	if len(b) == 0 {
		return ""
	}
	return Clean(string(b))
}

// Ext is the suffix of the last element from its last dot.
func Ext(p string) string {
	for i := len(p) - 1; i >= 0 && p[i] != '/'; i-- {
		if p[i] == '.' {
			return p[i:]
		}
	}
	return ""
}

// Base is the last element of p.
func Base(p string) string {
	if p == "" {
		return "."
	}
	for len(p) > 0 && p[len(p)-1] == '/' {
		p = p[:len(p)-1]
	}
	if p == "" {
		return "/"
	}
	_, p = Split(p)
	return p
}

// IsAbs reports whether p begins with a slash.
func IsAbs(p string) bool { return len(p) > 0 && p[0] == '/' }

// Dir is all but the last element of p.
func Dir(p string) string {
	dir, _ := Split(p)
	return Clean(dir)
}
