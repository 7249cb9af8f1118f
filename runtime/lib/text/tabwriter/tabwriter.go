// SPDX-License-Identifier: MIT

// Package tabwriter aligns columns of text. A cell ends at a tab; the cells
// with one index in lines that follow each other are a column, as wide as its
// widest cell. The text behind the last tab of a line is in no column.
package tabwriter

import (
	"io"
	"unicode/utf8"
)

// Flags of a Writer.
const (
	// FilterHTML counts HTML tags as nothing and entities as one character.
	FilterHTML uint = 1 << iota

	// StripEscape drops the Escape characters.
	StripEscape

	// AlignRight puts the padding before the text.
	AlignRight

	// DiscardEmptyColumns drops columns in which all cells are empty and end
	// at vertical tabs.
	DiscardEmptyColumns

	// TabIndent pads the empty cells at the beginning of a line with tabs.
	TabIndent

	// Debug writes a bar between columns and a line at each form feed.
	Debug
)

// Escape brackets text that is passed through.
const Escape = '\xff'

// A cell is a piece of a line's text.
type cell struct {
	size   int  // bytes
	width  int  // characters
	hard   bool // ended by a tab, not a vertical one
	column int  // width of its column, padding included
}

// A Writer aligns what is written to it and passes it on.
type Writer struct {
	out      io.Writer
	minwidth int
	tabwidth int
	padding  int
	padchar  byte
	flags    uint

	text   []byte   // of the cells, one after another
	lines  [][]cell // the last one is not complete
	cur    cell     // not complete
	seen   int      // where the part of text begins that cur.width lacks
	endEsc byte     // what ends the escaped text, 0 outside
	line   []byte   // output
}

// NewWriter makes a Writer; see Init.
func NewWriter(output io.Writer, minwidth, tabwidth, padding int, padchar byte, flags uint) *Writer {
	return new(Writer).Init(output, minwidth, tabwidth, padding, padchar, flags)
}

// Init prepares a Writer. minwidth is the least width of a column, padding is
// added to the widest cell. If padchar is a tab, columns begin at multiples of
// tabwidth and cells are aligned left.
func (w *Writer) Init(output io.Writer, minwidth, tabwidth, padding int, padchar byte, flags uint) *Writer {
	if minwidth < 0 || tabwidth < 0 || padding < 0 {
		panic("negative minwidth, tabwidth, or padding")
	}
	w.out = output
	w.minwidth, w.tabwidth, w.padding, w.padchar = minwidth, tabwidth, padding, padchar
	if padchar == '\t' {
		flags &^= AlignRight
	}
	w.flags = flags
	w.reset()
	return w
}

// reset forgets all text.
func (w *Writer) reset() {
	w.text = w.text[:0]
	w.lines = append(w.lines[:0], nil)
	w.cur = cell{}
	w.seen = 0
	w.endEsc = 0
}

// add appends to the text of the current cell.
func (w *Writer) add(p []byte) {
	w.text = append(w.text, p...)
	w.cur.size += len(p)
}

// measure adds the text not yet seen to the width of the current cell.
func (w *Writer) measure() {
	w.cur.width += utf8.RuneCount(w.text[w.seen:])
	w.seen = len(w.text)
}

// endCell puts the current cell in its line; it returns how many are there.
func (w *Writer) endCell(hard bool) int {
	w.cur.hard = hard
	last := len(w.lines) - 1
	w.lines[last] = append(w.lines[last], w.cur)
	w.cur = cell{}
	return len(w.lines[last])
}

// escape begins escaped text.
func (w *Writer) escape(c byte) {
	switch c {
	case '<':
		w.endEsc = '>'
	case '&':
		w.endEsc = ';'
	default:
		w.endEsc = Escape
	}
}

// unescape ends it.
func (w *Writer) unescape() {
	switch w.endEsc {
	case Escape:
		w.measure()
		if w.flags&StripEscape == 0 {
			w.cur.width -= 2
		}
	case ';':
		w.cur.width++
	}
	w.seen = len(w.text)
	w.endEsc = 0
}

// Write takes text. It is passed on at the latest by Flush.
func (w *Writer) Write(buf []byte) (n int, err error) {
	for i := 0; i < len(buf); i++ {
		c := buf[i]
		if w.endEsc != 0 {
			if c != w.endEsc {
				continue
			}
			end := i + 1
			if c == Escape && w.flags&StripEscape != 0 {
				end = i
			}
			w.add(buf[n:end])
			n = i + 1
			w.unescape()
			continue
		}
		switch c {
		case '\t', '\v', '\n', '\f':
			w.add(buf[n:i])
			w.measure()
			n = i + 1
			cells := w.endCell(c == '\t')
			if c == '\t' || c == '\v' {
				continue
			}
			w.lines = append(w.lines, nil)
			if c == '\f' || cells == 1 {
				// A line of one cell is in no column: what comes after it
				// does not depend on what is before.
				w.format()
				if c == '\f' && w.flags&Debug != 0 {
					w.line = append(w.line, "---\n"...)
				}
				if err = w.pass(); err != nil {
					return n, err
				}
			}
		case Escape:
			w.add(buf[n:i])
			w.measure()
			n = i
			if w.flags&StripEscape != 0 {
				n++
			}
			w.escape(c)
		case '<', '&':
			if w.flags&FilterHTML != 0 {
				w.add(buf[n:i])
				w.measure()
				n = i
				w.escape(c)
			}
		}
	}
	w.add(buf[n:])
	return len(buf), nil
}

// Flush passes on what is left; escaped text that has not ended ends here.
func (w *Writer) Flush() error {
	if w.cur.size > 0 {
		if w.endEsc != 0 {
			w.unescape()
		} else {
			w.measure()
		}
		w.endCell(false)
	}
	w.format()
	return w.pass()
}

// pass hands the output over.
func (w *Writer) pass() error {
	if len(w.line) == 0 {
		return nil
	}
	n, err := w.out.Write(w.line)
	if n != len(w.line) && err == nil {
		err = io.ErrShortWrite
	}
	w.line = w.line[:0]
	return err
}

// format turns all lines into output and forgets them.
func (w *Writer) format() {
	most := 0
	for _, line := range w.lines {
		most = max(most, len(line))
	}
	for k := 0; k < most-1; k++ {
		for i := 0; i < len(w.lines); i++ {
			if k < len(w.lines[i])-1 {
				i = w.measureColumn(i, k)
			}
		}
	}
	rest := w.text
	for i, line := range w.lines {
		rest = w.writeLine(line, rest)
		if i+1 < len(w.lines) {
			w.line = append(w.line, '\n')
		}
	}
	w.reset()
}

// measureColumn sets the width of the k-th cells of the lines from i on, up
// to the first line that has none; it returns the number of this line.
func (w *Writer) measureColumn(i, k int) int {
	width, empty := w.minwidth, true
	end := i
	for ; end < len(w.lines) && k < len(w.lines[end])-1; end++ {
		c := &w.lines[end][k]
		width = max(width, c.width+w.padding)
		if c.width > 0 || c.hard {
			empty = false
		}
	}
	if empty && w.flags&DiscardEmptyColumns != 0 {
		width = 0
	}
	for ; i < end; i++ {
		w.lines[i][k].column = width
	}
	return end
}

// writeLine writes the cells, whose text begins rest; it returns what follows.
func (w *Writer) writeLine(line []cell, rest []byte) []byte {
	indent := w.flags&TabIndent != 0
	for k, c := range line {
		if k > 0 && w.flags&Debug != 0 {
			w.line = append(w.line, '|')
		}
		text := rest[:c.size]
		rest = rest[c.size:]
		last := k == len(line)-1
		if c.size > 0 {
			indent = false
		}
		if c.size == 0 || w.flags&AlignRight == 0 {
			w.line = append(w.line, text...)
			if !last {
				w.pad(&c, indent)
			}
		} else {
			if !last {
				w.pad(&c, false)
			}
			w.line = append(w.line, text...)
		}
	}
	return rest
}

// pad fills the cell up to the width of its column.
func (w *Writer) pad(c *cell, tabs bool) {
	n, char := c.column-c.width, w.padchar
	if char == '\t' || tabs {
		if w.tabwidth == 0 {
			return
		}
		char = '\t'
		stop := (c.column + w.tabwidth - 1) / w.tabwidth * w.tabwidth
		n = (stop - c.width + w.tabwidth - 1) / w.tabwidth
	}
	for ; n > 0; n-- {
		w.line = append(w.line, char)
	}
}
