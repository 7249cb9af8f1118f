// SPDX-License-Identifier: MIT

package testing

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// A matcher chooses tests by -run and -skip and gives their parts names that
// no other has.
type matcher struct {
	run, skip filter
	match     func(pat, str string) (bool, error)
	mu        sync.Mutex
	names     map[string]int // how often
}

// A filter is alternatives, each with a pattern for each level.
type filter [][]string

// splitPattern takes a pattern apart at a separator that is in no brackets.
func splitPattern(s string, sep byte) []string {
	var out []string
	square, round, from := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[':
			square++
		case c == ']':
			if square--; square < 0 {
				square = 0
			}
		case c == '(' && square == 0:
			round++
		case c == ')' && square == 0:
			round--
		case c == '\\':
			i++
		case c == sep && square == 0 && round == 0:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

func newFilter(pattern string) filter {
	var f filter
	for _, alt := range splitPattern(pattern, '|') {
		var levels []string
		for _, p := range splitPattern(alt, '/') {
			levels = append(levels, rewrite(p))
		}
		f = append(f, levels)
	}
	return f
}

func newMatcher(match func(pat, str string) (bool, error), run, flag, skip string) *matcher {
	m := &matcher{match: match, names: map[string]int{}}
	if run != "" {
		m.run = newFilter(run)
		m.check(m.run, flag)
	}
	if skip != "" {
		m.skip = newFilter(skip)
		m.check(m.skip, "-test.skip")
	}
	return m
}

// check ends the program if a pattern is none.
func (m *matcher) check(f filter, flag string) {
	for _, alt := range f {
		for i, p := range alt {
			if _, err := m.match(p, "non-empty"); err != nil {
				fmt.Fprintf(os.Stderr,
					"testing: invalid regexp for element %d of %s (%q): %s\n", i, flag, p, err)
				os.Exit(1)
			}
		}
	}
}

// fits tells whether some alternative has a pattern for each element of a name;
// partial: there are more patterns than elements.
func (m *matcher) fits(f filter, name []string) (ok, partial bool) {
	for _, alt := range f {
		good := true
		for i, elem := range name {
			if i >= len(alt) {
				break
			}
			if hit, _ := m.match(alt[i], elem); !hit {
				good = false
				break
			}
		}
		if good {
			ok = true
			if len(name) >= len(alt) {
				return true, false
			}
			partial = true
		}
	}
	return ok, partial
}

// fullName is the name of a part of c, and whether it is to run.
func (m *matcher) fullName(c *common, sub string) (name string, ok, partial bool) {
	name = sub
	m.mu.Lock()
	defer m.mu.Unlock()
	if c != nil && c.level > 0 {
		name = m.unique(c.name, rewrite(sub))
	}
	elems := strings.Split(name, "/")
	ok = true
	if m.run != nil {
		ok, partial = m.fits(m.run, elems)
	}
	if ok && m.skip != nil {
		if hit, part := m.fits(m.skip, elems); hit && !part {
			ok = false
		}
	}
	return name, ok, partial
}

// clear forgets which names there have been.
func (m *matcher) clear() {
	m.mu.Lock()
	m.names = map[string]int{}
	m.mu.Unlock()
}

// unique adds a number to a name that there was before.
func (m *matcher) unique(parent, sub string) string {
	base := parent + "/" + sub
	for {
		k := m.names[base]
		m.names[base] = k + 1
		if k == 0 && sub != "" {
			// Is it the numbered form of another?
			if prefix, n := numbered(base); prefix == "" || n >= m.names[prefix] {
				return base
			}
			continue
		}
		if name := fmt.Sprintf("%s#%02d", base, k); m.names[name] == 0 {
			return name
		}
	}
}

// numbered takes "x#01" apart, a name as unique makes them; "" for others. Only
// a part without a name gets the number 0.
func numbered(name string) (prefix string, n int) {
	i := strings.LastIndexByte(name, '#')
	if i < 0 {
		return "", 0
	}
	prefix, digits := name[:i], name[i+1:]
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil || n < 0 || fmt.Sprintf("%02d", n) != digits,
		n == 0 && !strings.HasSuffix(prefix, "/"):
		return "", 0
	}
	return prefix, n
}

// rewrite makes blanks underscores and shows what cannot be printed.
func rewrite(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
