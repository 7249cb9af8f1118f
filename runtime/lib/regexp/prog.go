// SPDX-License-Identifier: MIT

package regexp

import (
	"strings"
	"unicode/utf8"
)

// Operations, numbered as in rematch.h.
const (
	opMatch = iota
	opFail
	opSplit
	opSave
	opAssert
	opRune
	opRanges
	opAny
	opAnyLine
)

// Conditions of opAssert.
const (
	beginLine = 1 << iota
	endLine
	beginText
	endText
	wordEdge
	noWordEdge
)

type inst struct {
	op, out, arg, len uint32
}

// A prog is a compiled expression; the fields are known to native.c.
type prog struct {
	inst     []inst
	ranges   []rune
	prefix   string // what every match begins with
	start    int
	anchored bool // to the beginning of the text
	longest  bool
}

func (p *prog) add(op, out, arg int) int {
	p.inst = append(p.inst, inst{uint32(op), uint32(out), uint32(arg), 0})
	return len(p.inst) - 1
}

// compile makes the program of a tree.
func compile(n *node) *prog {
	p := &prog{}
	p.start = p.emit(n, p.add(opMatch, 0, 0))
	i := p.skip(p.start)
	p.anchored = p.inst[i].op == opAssert && p.inst[i].arg&beginText != 0
	p.prefix, _ = p.literalText(i)
	return p
}

// skip goes over opSaves.
func (p *prog) skip(i int) int {
	for p.inst[i].op == opSave {
		i = int(p.inst[i].out)
	}
	return i
}

// literalText is the text that every match begins with from instruction i on;
// end is the first instruction behind it.
func (p *prog) literalText(i int) (text string, end int) {
	var b strings.Builder
	for p.inst[i].op == opRune && p.inst[i].arg != utf8.RuneError {
		b.WriteRune(rune(p.inst[i].arg))
		i = p.skip(int(p.inst[i].out))
	}
	return b.String(), i
}

// emit adds the code of n, which goes on at next; it returns where it begins.
func (p *prog) emit(n *node, next int) int {
	switch n.kind {
	case nFail:
		return p.add(opFail, 0, 0)
	case nRune:
		return p.add(opRune, next, n.min)
	case nClass:
		return p.emitClass(n.runes, next)
	case nAny:
		return p.add(opAny, next, 0)
	case nLine:
		return p.add(opAnyLine, next, 0)
	case nAssert:
		return p.add(opAssert, next, n.min)
	case nGroup:
		if n.min == 0 {
			return p.emit(n.subs[0], next)
		}
		end := p.add(opSave, next, 2*n.min+1)
		return p.add(opSave, p.emit(n.subs[0], end), 2*n.min)
	case nCat:
		for i := len(n.subs) - 1; i >= 0; i-- {
			next = p.emit(n.subs[i], next)
		}
	case nAlt:
		last := len(n.subs) - 1
		at := p.emit(n.subs[last], next)
		for i := last - 1; i >= 0; i-- {
			at = p.add(opSplit, p.emit(n.subs[i], next), at)
		}
		return at
	case nRepeat:
		return p.emitRepeat(n, next)
	}
	return next
}

func (p *prog) emitClass(set []rune, next int) int {
	switch {
	case len(set) == 0:
		return p.add(opFail, 0, 0)
	case len(set) == 2 && set[0] == set[1]:
		return p.add(opRune, next, int(set[0]))
	}
	i := p.add(opRanges, next, len(p.ranges))
	p.inst[i].len = uint32(len(set) / 2)
	p.ranges = append(p.ranges, set...)
	return i
}

// split adds a choice between going into a repetition and leaving it.
func (p *prog) split(lazy bool, in, out int) int {
	if lazy {
		in, out = out, in
	}
	return p.add(opSplit, in, out)
}

// emitRepeat writes x{n,m} as n times x and m-n nested optional ones.
func (p *prog) emitRepeat(n *node, next int) int {
	sub, least, at := n.subs[0], n.min, next
	if len(sub.flat(nil)) == 0 {
		return next
	}
	if n.max < 0 {
		// A loop behind the body: once or more. Around a body that may be
		// empty this must be optional, not a loop of zero or more, so that
		// the priorities are right.
		loop := p.add(opSplit, 0, 0)
		at = p.emit(sub, loop)
		p.inst[loop] = inst{op: opSplit, out: uint32(at), arg: uint32(next)}
		if n.lazy {
			p.inst[loop] = inst{op: opSplit, out: uint32(next), arg: uint32(at)}
		}
		switch {
		case least > 0:
			least--
		case sub.nullable():
			at = p.split(n.lazy, at, next)
		default:
			at = loop
		}
	} else {
		for i := n.min; i < n.max; i++ {
			at = p.split(n.lazy, p.emit(sub, at), next)
		}
	}
	for ; least > 0; least-- {
		at = p.emit(sub, at)
	}
	return at
}

// nullable reports whether n can match the empty text.
func (n *node) nullable() bool {
	switch n.kind {
	case nEmpty, nAssert:
		return true
	case nGroup:
		return n.subs[0].nullable()
	case nCat:
		for _, sub := range n.subs {
			if !sub.nullable() {
				return false
			}
		}
		return true
	case nAlt:
		for _, sub := range n.subs {
			if sub.nullable() {
				return true
			}
		}
	case nRepeat:
		return n.min == 0 || n.subs[0].nullable()
	}
	return false
}
