// SPDX-License-Identifier: MIT

package reflect

import (
	"errors"
	"internal/rt"
)

func (v Value) NumField() int {
	v.need("NumField", rt.Struct)
	return rt.NumField(v.t)
}

func (v Value) Field(i int) Value {
	v.need("Field", rt.Struct)
	if i < 0 || i >= rt.NumField(v.t) {
		panic("reflect: Field index out of range")
	}
	ft, off, flags := rt.Part(v.t, i)
	f := v.flag & (flagField | flagAddr)
	switch {
	case flags&rt.Exported != 0:
	case flags&rt.Embedded != 0:
		f |= flagEmbed
	default:
		f |= flagField
	}
	return value(ft, rt.At(v.p, 1, off), f)
}

func (v Value) FieldByIndex(index []int) Value {
	if len(index) != 1 {
		v.need("FieldByIndex", rt.Struct)
	}
	for i, k := range index {
		if i > 0 && v.kind() == rt.Pointer &&
			rt.KindOf(rt.Elem(v.t)) == rt.Struct {
			if v.IsNil() {
				panic("reflect: indirection through nil pointer to embedded struct")
			}
			v = v.Elem()
		}
		v = v.Field(k)
	}
	return v
}

// FieldByIndexErr is FieldByIndex with an error instead of a panic at a nil
// pointer.
func (v Value) FieldByIndexErr(index []int) (Value, error) {
	if len(index) != 1 {
		v.need("FieldByIndexErr", rt.Struct)
	}
	for i, k := range index {
		if i > 0 && v.kind() == rt.Pointer &&
			rt.KindOf(rt.Elem(v.t)) == rt.Struct {
			if v.IsNil() {
				return Value{}, errors.New("reflect: indirection through nil pointer to embedded struct field " +
					rt.Name(rt.Elem(v.t)))
			}
			v = v.Elem()
		}
		v = v.Field(k)
	}
	return v, nil
}

func (v Value) FieldByName(name string) Value {
	v.need("FieldByName", rt.Struct)
	if f, ok := toType(v.t).FieldByName(name); ok {
		return v.FieldByIndex(f.Index)
	}
	return Value{}
}

// FieldByNameFunc is the field whose name, and no other's at its depth,
// satisfies match; invalid if there is none.
func (v Value) FieldByNameFunc(match func(string) bool) Value {
	if f, ok := toType(v.t).FieldByNameFunc(match); ok {
		return v.FieldByIndex(f.Index)
	}
	return Value{}
}

// Field describes a field of a struct type.
func (t *rtype) Field(i int) StructField {
	t.need("Field", Struct, "struct")
	d := t.desc()
	if i < 0 || i >= rt.NumField(d) {
		panic("reflect: Field index out of bounds")
	}
	name, _, _, _ := rt.Field(d, i)
	return describe(d, i, name)
}

// describe is what Field says of field i, of that name.
func describe(d rt.Type, i int, name string) StructField {
	ft, off, flags := rt.Part(d, i)
	f := StructField{
		Name: name, Type: toType(ft), Offset: off, Index: indexOf(i),
		Anonymous: flags&rt.Embedded != 0,
	}
	if !rt.Plain(d, i) {
		tag, pkg := rt.FieldTag(d, i)
		f.Tag, f.PkgPath = StructTag(tag), pkg
	}
	return f
}

// indices are the first numbers.
var indices = [...]int{
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
}

// indexOf is a slice of just i, which nobody is to change: for what is most
// often asked it is the same one each time, as in Go.
func indexOf(i int) []int {
	if i < len(indices) {
		return indices[i : i+1 : i+1]
	}
	return []int{i}
}

// FieldByIndex is the field that a sequence of indices leads to.
func (t *rtype) FieldByIndex(index []int) StructField {
	t.need("FieldByIndex", Struct, "struct")
	f := StructField{Type: t}
	for i, k := range index {
		ft := f.Type
		if i > 0 && ft.Kind() == Pointer && ft.Elem().Kind() == Struct {
			ft = ft.Elem()
		}
		f = ft.Field(k)
	}
	return f
}

// FieldByName finds a field of the struct itself, or else of those that it
// embeds, by depth.
func (t *rtype) FieldByName(name string) (StructField, bool) {
	t.need("FieldByName", Struct, "struct")
	d := t.desc()
	i, embeds := rt.FieldNamed(d, name)
	if i >= 0 {
		return describe(d, i, rt.NameOfField(d, i, len(name))), true
	}
	if !embeds {
		return StructField{}, false
	}
	return t.search(func(s string) bool { return s == name })
}

// FieldByNameFunc finds the field whose name satisfies match; several of the
// same depth hide each other, and all below.
func (t *rtype) FieldByNameFunc(match func(string) bool) (StructField, bool) {
	t.need("FieldByNameFunc", Struct, "struct")
	return t.search(match)
}

// A level is the structs that are embedded at one depth, each with the way to
// it and whether there is more than one way.
type level struct {
	list  []embedded
	twice map[*rtype]bool
}

type embedded struct {
	t     *rtype
	index []int
}

// add puts ft, or what it points to, on the level if it is a struct.
func (l *level) add(ft *rtype, twice bool, index []int) {
	if ft.kind() == rt.Pointer {
		ft = ft.Elem().(*rtype)
	}
	if ft.kind() != rt.Struct {
		return
	}
	if l.twice == nil {
		l.twice = map[*rtype]bool{}
	}
	if _, seen := l.twice[ft]; seen {
		l.twice[ft] = true
		return
	}
	l.twice[ft] = twice
	l.list = append(l.list, embedded{ft, index})
}

// search looks for the field that match wants, one depth after the other.
func (t *rtype) search(match func(string) bool) (found StructField, ok bool) {
	here := level{list: []embedded{{t, nil}}}
	seen := map[*rtype]bool{}
	for len(here.list) > 0 && !ok {
		var below level
		for _, e := range here.list {
			if seen[e.t] {
				continue
			}
			seen[e.t] = true
			twice := here.twice[e.t]
			for i, n := 0, e.t.NumField(); i < n; i++ {
				name, ft, _, flags := rt.Field(e.t.desc(), i)
				index := append(append([]int(nil), e.index...), i)
				switch {
				case match(name):
					if ok || twice {
						return StructField{}, false
					}
					found, ok = e.t.Field(i), true
					found.Index = index
				case flags&rt.Embedded != 0 && !ok:
					below.add(toType(ft).(*rtype), twice, index)
				}
			}
		}
		here = below
	}
	return found, ok
}

// VisibleFields are the fields of the struct type t and those that embedded
// ones lend it, each struct's before what follows it.
func VisibleFields(t Type) []StructField {
	if t == nil {
		panic("reflect: VisibleFields(nil)")
	}
	if t.Kind() != Struct {
		panic("reflect.VisibleFields of non-struct type")
	}
	var all []StructField
	at := map[string]int{} // where the one that counts stands, by name
	var walk func(t Type, path []int, inside []Type)
	walk = func(t Type, path []int, inside []Type) {
		for _, u := range inside {
			if u == t {
				return
			}
		}
		inside = append(inside, t)
		for i := 0; i < t.NumField(); i++ {
			f := t.Field(i)
			f.Index = append(append([]int(nil), path...), i)
			k, known := at[f.Name]
			switch {
			case !known || len(f.Index) < len(all[k].Index):
				if known {
					all[k].Name = ""
				}
				at[f.Name] = len(all)
				all = append(all, f)
			case len(f.Index) == len(all[k].Index):
				all[k].Name = "" // both hide each other
			}
			if !f.Anonymous {
				continue
			}
			ft := f.Type
			if ft.Kind() == Pointer {
				ft = ft.Elem()
			}
			if ft.Kind() == Struct {
				walk(ft, f.Index, inside)
			}
		}
	}
	walk(t, nil, nil)
	visible := make([]StructField, 0, t.NumField())
	for _, f := range all {
		if f.Name != "" {
			visible = append(visible, f)
		}
	}
	return visible
}
