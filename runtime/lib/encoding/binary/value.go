// SPDX-License-Identifier: MIT

package binary

import (
	"errors"
	"internal/rt"
	"io"
	"unsafe"
)

var errSmall = errors.New("buffer too small")

// typeSize is the number of bytes of a value of type t, -1 if values of t are
// not of fixed size.
func typeSize(t rt.Type) int {
	switch rt.KindOf(t) {
	case rt.Bool, rt.Int8, rt.Int16, rt.Int32, rt.Int64, rt.Uint8, rt.Uint16,
		rt.Uint32, rt.Uint64, rt.Float32, rt.Float64, rt.Complex64, rt.Complex128:
		return int(rt.Size(t))
	case rt.Array:
		n := typeSize(rt.Elem(t))
		if n < 0 {
			return -1
		}
		return n * rt.Len(t)
	case rt.Struct:
		sum := 0
		for i := 0; i < rt.NumField(t); i++ {
			_, ft, _, _ := rt.Field(t, i)
			n := typeSize(ft)
			if n < 0 {
				return -1
			}
			sum += n
		}
		return sum
	}
	return -1
}

// A span is n values of type t, one after another at p, of size bytes in all
// when encoded.
type span struct {
	t    rt.Type
	p    unsafe.Pointer
	n    int
	size int
}

// spanOf is the value of type t at p, or the elements of a slice there.
func spanOf(t rt.Type, p unsafe.Pointer) (s span, ok bool) {
	s = span{t, p, 1, 0}
	if rt.KindOf(t) == rt.Slice {
		h := (*rt.SliceHeader)(p)
		s = span{rt.Elem(t), h.Data, h.Len, 0}
	}
	n := typeSize(s.t)
	s.size = n * s.n
	return s, n >= 0
}

// source is what data means for writing: pointers are followed.
func source(data any) (s span, ok bool) {
	t := rt.TypeOf(data)
	if t == nil {
		return span{}, false
	}
	p := rt.Addr(data)
	if rt.KindOf(t) == rt.Pointer {
		p = *(*unsafe.Pointer)(p)
		t = rt.Elem(t)
		if p == nil {
			return span{}, false
		}
	}
	return spanOf(t, p)
}

// target is what data means for reading: a pointer or a slice.
func target(data any) (s span, ok bool) {
	t := rt.TypeOf(data)
	switch rt.KindOf(t) {
	case rt.Pointer, rt.Slice:
		return source(data)
	}
	return span{}, false
}

// typeName is the type of data for messages. It panics for nil, which has no
// type, and for nil pointers to numbers, where the type is not what is wrong.
func typeName(data any) string {
	t := rt.TypeOf(data)
	wrong := t == nil
	if rt.KindOf(t) == rt.Pointer {
		e := rt.Elem(t)
		wrong = rt.KindOf(e) <= rt.Float64 && typeSize(e) >= 0 && rt.PkgPath(e) == ""
	}
	if wrong {
		var none *string
		return *none
	}
	return rt.TypeString(t)
}

// Size is the number of bytes that Write would write for v, -1 if none.
func Size(v any) int {
	s, ok := source(v)
	if !ok {
		return -1
	}
	return s.size
}

// A cursor walks through encoded bytes.
type cursor struct {
	order ByteOrder
	buf   []byte
}

func (c *cursor) next(n int) []byte {
	b := c.buf[:n]
	c.buf = c.buf[n:]
	return b
}

// put encodes n values of type t at p.
func (c *cursor) put(t rt.Type, p unsafe.Pointer, n int) {
	size := rt.Size(t)
	switch kind := rt.KindOf(t); kind {
	case rt.Bool:
		for i, b := range unsafe.Slice((*bool)(p), n) {
			c.buf[i] = 0
			if b {
				c.buf[i] = 1
			}
		}
		c.buf = c.buf[n:]
	case rt.Int8, rt.Uint8:
		copy(c.next(n), unsafe.Slice((*byte)(p), n))
	case rt.Int16, rt.Uint16:
		for _, v := range unsafe.Slice((*uint16)(p), n) {
			c.order.PutUint16(c.next(2), v)
		}
	case rt.Int32, rt.Uint32, rt.Float32:
		for _, v := range unsafe.Slice((*uint32)(p), n) {
			c.order.PutUint32(c.next(4), v)
		}
	case rt.Int64, rt.Uint64, rt.Float64:
		for _, v := range unsafe.Slice((*uint64)(p), n) {
			c.order.PutUint64(c.next(8), v)
		}
	case rt.Complex64:
		for _, v := range unsafe.Slice((*uint32)(p), 2*n) {
			c.order.PutUint32(c.next(4), v)
		}
	case rt.Complex128:
		for _, v := range unsafe.Slice((*uint64)(p), 2*n) {
			c.order.PutUint64(c.next(8), v)
		}
	case rt.Array:
		c.put(rt.Elem(t), p, n*rt.Len(t))
	case rt.Struct:
		fields := rt.NumField(t)
		for i := 0; i < n; i++ {
			base := uintptr(p) + uintptr(i)*size
			for k := 0; k < fields; k++ {
				name, ft, off, _ := rt.Field(t, k)
				if name == "_" {
					clear(c.next(typeSize(ft)))
				} else {
					c.put(ft, unsafe.Pointer(base+off), 1)
				}
			}
		}
	}
}

// setter is the method that package reflect would refuse for an unexported
// field of the given kind.
func setter(kind int) string {
	switch kind {
	case rt.Bool:
		return "SetBool"
	case rt.Int8, rt.Int16, rt.Int32, rt.Int64:
		return "SetInt"
	case rt.Float32, rt.Float64:
		return "SetFloat"
	case rt.Complex64, rt.Complex128:
		return "SetComplex"
	}
	return "SetUint"
}

// get decodes n values of type t to p; ro says that they are in an unexported
// field.
func (c *cursor) get(t rt.Type, p unsafe.Pointer, n int, ro bool) {
	size := rt.Size(t)
	kind := rt.KindOf(t)
	if ro && n > 0 && kind != rt.Array && kind != rt.Struct {
		panic("reflect: reflect.Value." + setter(kind) +
			" using value obtained using unexported field")
	}
	switch kind {
	case rt.Bool:
		s := unsafe.Slice((*bool)(p), n)
		for i, b := range c.next(n) {
			s[i] = b != 0
		}
	case rt.Int8, rt.Uint8:
		copy(unsafe.Slice((*byte)(p), n), c.next(n))
	case rt.Int16, rt.Uint16:
		s := unsafe.Slice((*uint16)(p), n)
		for i := range s {
			s[i] = c.order.Uint16(c.next(2))
		}
	case rt.Int32, rt.Uint32, rt.Float32:
		s := unsafe.Slice((*uint32)(p), n)
		for i := range s {
			s[i] = c.order.Uint32(c.next(4))
		}
	case rt.Int64, rt.Uint64, rt.Float64:
		s := unsafe.Slice((*uint64)(p), n)
		for i := range s {
			s[i] = c.order.Uint64(c.next(8))
		}
	case rt.Complex64:
		s := unsafe.Slice((*uint32)(p), 2*n)
		for i := range s {
			s[i] = c.order.Uint32(c.next(4))
		}
	case rt.Complex128:
		s := unsafe.Slice((*uint64)(p), 2*n)
		for i := range s {
			s[i] = c.order.Uint64(c.next(8))
		}
	case rt.Array:
		c.get(rt.Elem(t), p, n*rt.Len(t), ro)
	case rt.Struct:
		fields := rt.NumField(t)
		for i := 0; i < n; i++ {
			base := uintptr(p) + uintptr(i)*size
			for k := 0; k < fields; k++ {
				name, ft, off, flags := rt.Field(t, k)
				if name == "_" {
					c.next(typeSize(ft))
				} else {
					c.get(ft, unsafe.Pointer(base+off), 1, ro || flags&rt.Exported == 0)
				}
			}
		}
	}
}

// Write writes data, a value of fixed size or a slice of such or a pointer to
// one, to w.
func Write(w io.Writer, order ByteOrder, data any) error {
	s, ok := source(data)
	if !ok {
		return errors.New("binary.Write: some values are not fixed-sized in type " + typeName(data))
	}
	b := make([]byte, s.size)
	c := cursor{order, b}
	c.put(s.t, s.p, s.n)
	_, err := w.Write(b)
	return err
}

// Append appends what Write writes.
func Append(buf []byte, order ByteOrder, data any) ([]byte, error) {
	s, ok := source(data)
	if !ok {
		return nil, errors.New("binary.Append: some values are not fixed-sized in type " + typeName(data))
	}
	n := len(buf)
	buf = append(buf, make([]byte, s.size)...)
	c := cursor{order, buf[n:]}
	c.put(s.t, s.p, s.n)
	return buf, nil
}

// Encode writes data to buf and returns the number of bytes.
func Encode(buf []byte, order ByteOrder, data any) (int, error) {
	s, ok := source(data)
	if !ok {
		return 0, errors.New("binary.Encode: some values are not fixed-sized in type " + typeName(data))
	}
	if len(buf) < s.size {
		return 0, errSmall
	}
	c := cursor{order, buf}
	c.put(s.t, s.p, s.n)
	return s.size, nil
}

// Read reads what Write writes into data, a pointer to a value of fixed size
// or a slice of such values.
func Read(r io.Reader, order ByteOrder, data any) error {
	s, ok := target(data)
	if !ok {
		return errors.New("binary.Read: invalid type " + typeName(data))
	}
	b := make([]byte, s.size)
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	c := cursor{order, b}
	c.get(s.t, s.p, s.n, false)
	return nil
}

// Decode reads data from buf and returns the number of bytes.
func Decode(buf []byte, order ByteOrder, data any) (int, error) {
	s, ok := target(data)
	if !ok {
		return 0, errors.New("binary.Decode: invalid type " + typeName(data))
	}
	if len(buf) < s.size {
		return 0, errSmall
	}
	c := cursor{order, buf}
	c.get(s.t, s.p, s.n, false)
	return s.size, nil
}
