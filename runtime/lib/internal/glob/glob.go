// SPDX-License-Identifier: MIT

// Package glob matches names with shell patterns, for path and path/filepath.
package glob

import "unicode/utf8"

// Match reports whether the whole name matches a shell pattern: * and ? match
// no slash, [a-z] and [^a-z] are sets, a backslash takes away any meaning.
// What lies behind the part of a pattern that does not match is looked at only
// if whole is set: so package path finds a bad pattern where filepath does not.
func Match(pattern, name string, whole bool) (matched, bad bool) {
	for pattern != "" {
		star, chunk, rest := cut(pattern)
		if star && chunk == "" {
			return !hasSlash(name), false
		}
		left, ok, bad := matchChunk(chunk, name)
		if bad {
			return false, true
		}
		// Behind a star the chunk may match further on, and has to where it
		// is the last.
		for star && (!ok || rest == "" && left != "") {
			if name == "" || name[0] == '/' {
				ok = false
				break
			}
			name = name[1:]
			left, ok, _ = matchChunk(chunk, name)
		}
		if !ok || rest == "" && left != "" {
			return false, whole && malformed(rest)
		}
		pattern, name = rest, left
	}
	return name == "", false
}

func hasSlash(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '/' {
			return true
		}
	}
	return false
}

// cut takes the leading stars and the chunk up to the next one off a pattern.
func cut(pattern string) (star bool, chunk, rest string) {
	for pattern != "" && pattern[0] == '*' {
		pattern = pattern[1:]
		star = true
	}
	inSet := false
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			inSet = true
		case ']':
			inSet = false
		case '*':
			if !inSet {
				return star, pattern[:i], pattern[i:]
			}
		}
	}
	return star, pattern, ""
}

// malformed looks for an error in a pattern.
func malformed(pattern string) bool {
	for pattern != "" {
		var chunk string
		_, chunk, pattern = cut(pattern)
		if _, _, bad := matchChunk(chunk, ""); bad {
			return true
		}
	}
	return false
}

// matchChunk matches the beginning of name with a pattern without stars, which
// is read to its end even where it does not match.
func matchChunk(chunk, name string) (left string, ok, bad bool) {
	ok = true
	for chunk != "" {
		var one bool
		chunk, name, one, bad = matchOne(chunk, name)
		if bad {
			return "", false, true
		}
		ok = ok && one
	}
	return name, ok, false
}

// matchOne matches one character of name; rest is the pattern behind it even
// if it does not match.
func matchOne(pattern, name string) (rest, left string, ok, bad bool) {
	switch pattern[0] {
	case '[':
		return matchSet(pattern[1:], name)
	case '?':
		if name == "" || name[0] == '/' {
			return pattern[1:], name, false, false
		}
		_, n := utf8.DecodeRuneInString(name)
		return pattern[1:], name[n:], true, false
	case '\\':
		pattern = pattern[1:]
		if pattern == "" {
			return "", name, false, true
		}
	}
	if name == "" || name[0] != pattern[0] {
		return pattern[1:], name, false, false
	}
	return pattern[1:], name[1:], true, false
}

func matchSet(pattern, name string) (rest, left string, ok, bad bool) {
	var r rune = -1
	n := 0
	if name != "" {
		r, n = utf8.DecodeRuneInString(name)
	}
	negated := pattern != "" && pattern[0] == '^'
	if negated {
		pattern = pattern[1:]
	}
	found := false
	for first := true; first || pattern == "" || pattern[0] != ']'; first = false {
		var lo, hi rune
		if lo, pattern, bad = setChar(pattern); bad {
			return "", name, false, true
		}
		hi = lo
		if pattern[0] == '-' {
			if hi, pattern, bad = setChar(pattern[1:]); bad {
				return "", name, false, true
			}
		}
		if lo <= r && r <= hi {
			found = true
		}
	}
	return pattern[1:], name[n:], found != negated && n > 0, false
}

// setChar reads a character of a set; something must follow it.
func setChar(s string) (r rune, rest string, bad bool) {
	if s == "" || s[0] == '-' || s[0] == ']' {
		return 0, "", true
	}
	if s[0] == '\\' {
		s = s[1:]
		if s == "" {
			return 0, "", true
		}
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 || n == len(s) {
		return 0, "", true
	}
	return r, s[n:], false
}
