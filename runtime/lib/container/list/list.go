// SPDX-License-Identifier: MIT

// Package list implements a doubly linked list.
package list

// An Element is an element of a list.
type Element struct {
	next, prev *Element // in a ring through the list's root
	list       *List    // nil once removed
	Value      any
}

// Next returns the element after e, nil at the end.
func (e *Element) Next() *Element {
	if e.list == nil || e.next == &e.list.root {
		return nil
	}
	return e.next
}

// Prev returns the element before e, nil at the beginning.
func (e *Element) Prev() *Element {
	if e.list == nil || e.prev == &e.list.root {
		return nil
	}
	return e.prev
}

// A List is a doubly linked list; the zero value is an empty one.
type List struct {
	root Element // links the last element with the first
	len  int
}

// Init empties l.
func (l *List) Init() *List {
	l.root.next = &l.root
	l.root.prev = &l.root
	l.len = 0
	return l
}

// New returns an empty list.
func New() *List { return new(List).Init() }

// Len returns the number of elements.
func (l *List) Len() int { return l.len }

// Front returns the first element, nil if there is none.
func (l *List) Front() *Element {
	if l.len == 0 {
		return nil
	}
	return l.root.next
}

// Back returns the last element, nil if there is none.
func (l *List) Back() *Element {
	if l.len == 0 {
		return nil
	}
	return l.root.prev
}

func (l *List) lazyInit() {
	if l.root.next == nil {
		l.Init()
	}
}

// link puts e behind at.
func link(e, at *Element) {
	e.prev = at
	e.next = at.next
	at.next.prev = e
	at.next = e
}

func unlink(e *Element) {
	e.prev.next = e.next
	e.next.prev = e.prev
}

func (l *List) insert(v any, at *Element) *Element {
	e := &Element{list: l, Value: v}
	link(e, at)
	l.len++
	return e
}

func (l *List) move(e, at *Element) {
	if e != at {
		unlink(e)
		link(e, at)
	}
}

// Remove takes e out of l, if it is there, and returns its value.
func (l *List) Remove(e *Element) any {
	if e.list == l {
		unlink(e)
		e.next = nil
		e.prev = nil
		e.list = nil
		l.len--
	}
	return e.Value
}

// PushFront inserts v at the beginning.
func (l *List) PushFront(v any) *Element {
	l.lazyInit()
	return l.insert(v, &l.root)
}

// PushBack inserts v at the end.
func (l *List) PushBack(v any) *Element {
	l.lazyInit()
	return l.insert(v, l.root.prev)
}

// InsertBefore inserts v before mark, which must be in l.
func (l *List) InsertBefore(v any, mark *Element) *Element {
	if mark.list != l {
		return nil
	}
	return l.insert(v, mark.prev)
}

// InsertAfter inserts v after mark, which must be in l.
func (l *List) InsertAfter(v any, mark *Element) *Element {
	if mark.list != l {
		return nil
	}
	return l.insert(v, mark)
}

// MoveToFront makes e, which must be in l, the first element.
func (l *List) MoveToFront(e *Element) {
	if e.list == l && l.root.next != e {
		l.move(e, &l.root)
	}
}

// MoveToBack makes e, which must be in l, the last element.
func (l *List) MoveToBack(e *Element) {
	if e.list == l && l.root.prev != e {
		l.move(e, l.root.prev)
	}
}

// MoveBefore moves e before mark; both must be in l.
func (l *List) MoveBefore(e, mark *Element) {
	if e.list == l && e != mark && mark.list == l {
		l.move(e, mark.prev)
	}
}

// MoveAfter moves e behind mark; both must be in l.
func (l *List) MoveAfter(e, mark *Element) {
	if e.list == l && e != mark && mark.list == l {
		l.move(e, mark)
	}
}

// PushBackList appends a copy of other, which may be l.
func (l *List) PushBackList(other *List) {
	l.lazyInit()
	e := other.Front()
	for n := other.Len(); n > 0; n-- {
		l.insert(e.Value, l.root.prev)
		e = e.Next()
	}
}

// PushFrontList prepends a copy of other, which may be l.
func (l *List) PushFrontList(other *List) {
	l.lazyInit()
	e := other.Back()
	for n := other.Len(); n > 0; n-- {
		l.insert(e.Value, &l.root)
		e = e.Prev()
	}
}
