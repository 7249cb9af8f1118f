// SPDX-License-Identifier: MIT

package regexp

// literal returns the only text that n matches, if that is one character.
func (n *node) literal() (r rune, ok bool) {
	switch {
	case n.kind == nRune:
		return rune(n.min), true
	case n.kind == nClass && len(n.runes) == 2 && n.runes[0] == n.runes[1]:
		return n.runes[0], true
	}
	return 0, false
}

// flat appends the parts of n, one after another, to list.
func (n *node) flat(list []*node) []*node {
	switch {
	case n.kind == nEmpty:
		return list
	case n.kind == nCat:
		for _, sub := range n.subs {
			list = sub.flat(list)
		}
		return list
	case n.kind == nGroup && n.min == 0:
		return n.subs[0].flat(list)
	}
	return append(list, n)
}

// shared is how many characters a and b both begin with.
func shared(a, b []*node) int {
	k := 0
	for k < len(a) && k < len(b) {
		r, ok := a[k].literal()
		if s, also := b[k].literal(); !ok || !also || r != s {
			break
		}
		k++
	}
	return k
}

// factor makes a tree of alternatives: neighbours that begin with the same
// characters share those, and of neighbours that are empty one is left. What
// matches, and which alternative is preferred, stays the same; how much of the
// expression is a literal text shows.
func factor(alts [][]*node) *node {
	var out []*node
	for i := 0; i < len(alts); {
		common := alts[i]
		j := i + 1
		for ; j < len(alts); j++ {
			k := shared(common, alts[j])
			if k == 0 && len(common)+len(alts[j]) > 0 {
				break
			}
			common = common[:k]
		}
		n := &node{kind: nCat, subs: common}
		if j > i+1 && len(common) > 0 {
			rests := make([][]*node, j-i)
			for k := range rests {
				rests[k] = alts[i+k][len(common):]
			}
			n.subs = append(append([]*node(nil), common...), factor(rests))
		}
		out = append(out, n)
		i = j
	}
	if len(out) == 1 {
		return out[0]
	}
	return &node{kind: nAlt, subs: out}
}
