// SPDX-License-Identifier: MIT

package path

import "unicode/utf8"

// Match reports whether the whole name matches a shell pattern: * and ? match
// no slash, [a-z] and [^a-z] are sets, a backslash takes away any meaning.
func Match(pattern, name string) (matched bool, err error) {
	for len(pattern) > 0 {
		if pattern[0] != '*' {
			rest, left, ok, err := matchOne(pattern, name)
			if err != nil {
				return false, err
			}
			if !ok {
				return false, check(rest)
			}
			pattern, name = rest, left
			continue
		}
		for len(pattern) > 0 && pattern[0] == '*' {
			pattern = pattern[1:]
		}
		if pattern == "" {
			return !hasSlash(name), nil
		}
		// Try the chunk up to the next star at each place.
		for i := 0; ; i++ {
			rest, left, ok, err := matchChunk(pattern, name[i:])
			if err != nil {
				return false, err
			}
			if ok && (rest != "" || left == "") {
				pattern, name = rest, left
				break
			}
			if i >= len(name) || name[i] == '/' {
				return false, check(pattern)
			}
		}
	}
	return name == "", nil
}

func hasSlash(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '/' {
			return true
		}
	}
	return false
}

// check looks for malformed parts of a pattern that does not match.
func check(pattern string) error {
	for len(pattern) > 0 {
		if pattern[0] == '*' {
			pattern = pattern[1:]
			continue
		}
		rest, _, _, err := matchOne(pattern, "")
		if err != nil {
			return err
		}
		pattern = rest
	}
	return nil
}

// matchChunk matches pattern up to its next star or end.
func matchChunk(pattern, name string) (rest, left string, ok bool, err error) {
	for len(pattern) > 0 && pattern[0] != '*' {
		pattern, name, ok, err = matchOne(pattern, name)
		if !ok || err != nil {
			return pattern, name, ok, err
		}
	}
	return pattern, name, true, nil
}

// matchOne matches one character of name; rest is the pattern behind it even
// if it does not match.
func matchOne(pattern, name string) (rest, left string, ok bool, err error) {
	switch pattern[0] {
	case '[':
		return matchSet(pattern[1:], name)
	case '?':
		if name == "" || name[0] == '/' {
			return pattern[1:], name, false, nil
		}
		_, n := utf8.DecodeRuneInString(name)
		return pattern[1:], name[n:], true, nil
	case '\\':
		pattern = pattern[1:]
		if pattern == "" {
			return "", name, false, ErrBadPattern
		}
	}
	if name == "" || name[0] != pattern[0] {
		return pattern[1:], name, false, nil
	}
	return pattern[1:], name[1:], true, nil
}

func matchSet(pattern, name string) (rest, left string, ok bool, err error) {
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
		if lo, pattern, err = setChar(pattern); err != nil {
			return "", name, false, err
		}
		hi = lo
		if pattern[0] == '-' {
			if hi, pattern, err = setChar(pattern[1:]); err != nil {
				return "", name, false, err
			}
		}
		if lo <= r && r <= hi {
			found = true
		}
	}
	return pattern[1:], name[n:], found != negated && n > 0, nil
}

// setChar reads a character of a set; something must follow it.
func setChar(s string) (r rune, rest string, err error) {
	if s == "" || s[0] == '-' || s[0] == ']' {
		return 0, "", ErrBadPattern
	}
	if s[0] == '\\' {
		s = s[1:]
		if s == "" {
			return 0, "", ErrBadPattern
		}
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 || n == len(s) {
		return 0, "", ErrBadPattern
	}
	return r, s[n:], nil
}
