// SPDX-License-Identifier: MIT

// Package ring implements circular lists.
package ring

// A Ring is an element of a circular list, and so the list. The zero value
// is a ring of one element.
type Ring struct {
	next, prev *Ring
	Value      any
}

func (r *Ring) init() *Ring {
	r.next = r
	r.prev = r
	return r
}

// New returns a ring of n elements.
func New(n int) *Ring {
	if n <= 0 {
		return nil
	}
	r := new(Ring).init()
	for i := 1; i < n; i++ {
		e := &Ring{prev: r.prev, next: r}
		r.prev.next = e
		r.prev = e
	}
	return r
}

// Next returns the next element; r must not be nil.
func (r *Ring) Next() *Ring {
	if r.next == nil {
		return r.init()
	}
	return r.next
}

// Prev returns the previous element; r must not be nil.
func (r *Ring) Prev() *Ring {
	if r.next == nil {
		return r.init()
	}
	return r.prev
}

// Move goes n elements forward, backward if n is negative.
func (r *Ring) Move(n int) *Ring {
	if r.next == nil {
		return r.init()
	}
	for ; n > 0; n-- {
		r = r.next
	}
	for ; n < 0; n++ {
		r = r.prev
	}
	return r
}

// Link makes s the next element of r and returns what was. If both are in
// one ring, what lies between them is cut out; otherwise s's ring is put in.
func (r *Ring) Link(s *Ring) *Ring {
	n := r.Next()
	if s != nil {
		last := s.Prev()
		r.next = s
		s.prev = r
		n.prev = last
		last.next = n
	}
	return n
}

// Unlink cuts out the n elements after r and returns them.
func (r *Ring) Unlink(n int) *Ring {
	if n <= 0 {
		return nil
	}
	return r.Link(r.Move(n + 1))
}

// Len counts the elements.
func (r *Ring) Len() int {
	if r == nil {
		return 0
	}
	n := 1
	for p := r.Next(); p != r; p = p.next {
		n++
	}
	return n
}

// Do calls f with each value, in forward order.
func (r *Ring) Do(f func(any)) {
	if r == nil {
		return
	}
	f(r.Value)
	for p := r.Next(); p != r; p = p.next {
		f(p.Value)
	}
}
