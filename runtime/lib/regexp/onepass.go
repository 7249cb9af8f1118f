// SPDX-License-Identifier: MIT

package regexp

import (
	"sort"
	"unicode"
)

// literalPrefix is what LiteralPrefix returns. Go has two ways to find it: for
// programs that begin with ^ and can be run in one pass, and for the others.
func (p *prog) literalPrefix() (text string, complete bool) {
	i := p.start
	if !p.onePass() {
		text, end := p.literalText(p.skip(i))
		return text, p.inst[end].op == opMatch
	}
	i = int(p.inst[i].out)
	if p.inst[i].op != opRune || p.inst[i].arg == unicode.ReplacementChar {
		return "", p.inst[i].op == opMatch
	}
	for p.inst[i].op == opRune && p.inst[i].arg != unicode.ReplacementChar {
		text += string(rune(p.inst[i].arg))
		i = int(p.inst[i].out)
	}
	in := p.inst[i]
	return text, in.op == opAssert && in.arg&endText != 0 &&
		p.inst[in.out].op == opMatch
}

// onePass reports whether p begins with ^ and the next character always
// decides how it goes on.
func (p *prog) onePass() bool {
	first := p.inst[p.start]
	if first.op != opAssert || first.arg&beginText == 0 || len(p.inst) >= 1000 {
		return false
	}
	split := false
	for _, in := range p.inst {
		split = split || in.op == opSplit
	}
	for _, in := range p.inst {
		ends := in.op != opMatch && in.op != opFail && p.inst[in.out].op == opMatch
		switch in.op {
		case opSplit:
			if ends || p.inst[in.arg].op == opMatch {
				return false
			}
		case opAssert:
			if ends && in.arg&endText == 0 {
				return false
			}
		default:
			if ends && split {
				return false
			}
		}
	}
	c := decider{p: p, todo: []int{p.start}, seen: map[int]bool{p.start: true}}
	for len(c.todo) > 0 {
		i := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		c.visited = map[int][]rune{}
		if _, _, ok := c.next(i); !ok {
			return false
		}
	}
	return true
}

// A decider looks for a place of a program where a character does not decide.
type decider struct {
	p       *prog
	todo    []int // instructions behind a character
	seen    map[int]bool
	visited map[int][]rune // what next found since the last character
}

// next returns the characters, as sorted pairs, that can follow at instruction
// i, whether the match can end there, and whether each leads one way only.
func (c *decider) next(i int) (set []rune, ends, ok bool) {
	if set, done := c.visited[i]; done {
		return set, false, true
	}
	c.visited[i] = nil
	in := c.p.inst[i]
	switch in.op {
	case opMatch:
		return nil, true, true
	case opFail:
		return nil, false, true
	case opSave, opAssert:
		set, ends, ok = c.next(int(in.out))
	case opSplit:
		a, aEnds, aOk := c.next(int(in.out))
		b, bEnds, bOk := c.next(int(in.arg))
		set = append(append(set, a...), b...)
		ends = aEnds || bEnds
		ok = aOk && bOk && !(aEnds && bEnds) && disjoint(set)
	default:
		if !c.seen[int(in.out)] {
			c.seen[int(in.out)] = true
			c.todo = append(c.todo, int(in.out))
		}
		set, ok = c.p.accepts(in), true
	}
	c.visited[i] = set
	return set, ends, ok
}

// accepts returns the characters, as pairs, that an instruction takes.
func (p *prog) accepts(in inst) []rune {
	switch in.op {
	case opRune:
		return []rune{rune(in.arg), rune(in.arg)}
	case opRanges:
		return p.ranges[in.arg : in.arg+2*in.len]
	case opAnyLine:
		return []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	}
	return []rune{0, unicode.MaxRune}
}

// disjoint reports whether no two of the pairs overlap.
func disjoint(set []rune) bool {
	order := make([]int, len(set)/2)
	for i := range order {
		order[i] = 2 * i
	}
	sort.Slice(order, func(i, j int) bool { return set[order[i]] < set[order[j]] })
	for i := 1; i < len(order); i++ {
		if set[order[i-1]+1] >= set[order[i]] {
			return false
		}
	}
	return true
}
