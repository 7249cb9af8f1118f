// SPDX-License-Identifier: MIT

package strings

import "io"

// A Replacer replaces a list of strings by others. It is safe for use by
// several goroutines.
type Replacer struct {
	oldnew []string
	// index is what replaceIndex built: for each first byte the chain of
	// pairs to try, in argument order.
	index []int32
}

// replaceIndex builds the search table of a list of pairs.
//
//race:reads oldnew
func replaceIndex(oldnew []string) []int32

// replacePairs returns s with every match replaced, s itself without one.
//
//race:reads oldnew, reads index
func replacePairs(s string, oldnew []string, index []int32) string

// NewReplacer returns a Replacer for a list of old, new pairs. Matches are
// found in the order they appear in the text and do not overlap; where
// several old strings match, the first in argument order counts.
func NewReplacer(oldnew ...string) *Replacer {
	if len(oldnew)%2 == 1 {
		panic("strings.NewReplacer: odd argument count")
	}
	pairs := append([]string(nil), oldnew...)
	return &Replacer{pairs, replaceIndex(pairs)}
}

// Replace returns s with all replacements done.
func (r *Replacer) Replace(s string) string {
	return replacePairs(s, r.oldnew, r.index)
}

// WriteString writes s to w with all replacements done.
func (r *Replacer) WriteString(w io.Writer, s string) (n int, err error) {
	return io.WriteString(w, replacePairs(s, r.oldnew, r.index))
}
