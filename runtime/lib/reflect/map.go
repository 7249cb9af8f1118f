// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"unsafe"
)

// loadedCopy is a copy of the value of type t at p.
func loadedCopy(t rt.Type, p unsafe.Pointer, f flag) Value {
	cell := rt.New(t, 1)
	rt.Copy(t, cell, p)
	return loaded(t, cell, f)
}

func (v Value) MapKeys() []Value {
	v.need("MapKeys", rt.Map)
	kt := rt.Key(v.t)
	keys, _, n := rt.MapEntries(v.t, v.word())
	out := make([]Value, n)
	for i := range out {
		out[i] = loaded(kt, rt.At(keys, i, rt.Size(kt)), v.ro())
	}
	return out
}

func (v Value) MapIndex(key Value) Value {
	v.need("MapIndex", rt.Map)
	key = key.assignTo("reflect.Value.MapIndex", rt.Key(v.t))
	p := rt.MapGet(v.t, v.word(), key.addr())
	if p == nil {
		return Value{}
	}
	return loadedCopy(rt.Elem(v.t), p, v.ro()|key.ro())
}

// SetMapIndex stores elem under key, or deletes it if elem is invalid.
func (v Value) SetMapIndex(key, elem Value) {
	const name = "reflect.Value.SetMapIndex"
	v.need("SetMapIndex", rt.Map)
	v.exported(name)
	key.exported(name)
	key = key.assignTo(name, rt.Key(v.t))
	if elem.t == nil {
		rt.MapDelete(v.t, v.word(), key.addr())
		return
	}
	elem.exported(name)
	elem = elem.assignTo(name, rt.Elem(v.t))
	rt.MapSet(v.t, v.word(), key.addr(), elem.addr())
}

// A MapIter steps through a map: the keys that it had at first, as far as they
// are still there.
type MapIter struct {
	m          Value
	keys, vals unsafe.Pointer
	n          int
	i          int            // 0 before the first Next, then of an entry + 1
	elem       unsafe.Pointer // of the entry
}

func (v Value) MapRange() *MapIter {
	v.need("MapRange", rt.Map)
	return &MapIter{m: v}
}

// Reset makes the iterator one of v.
func (it *MapIter) Reset(v Value) {
	if v.IsValid() {
		v.need("MapRange", rt.Map)
	}
	*it = MapIter{m: v}
}

func (it *MapIter) key() unsafe.Pointer {
	return rt.At(it.keys, it.i-1, rt.Size(rt.Key(it.m.t)))
}

func (it *MapIter) Next() bool {
	if !it.m.IsValid() {
		panic("MapIter.Next called on an iterator that does not have an associated map Value")
	}
	if it.i > it.n {
		panic("MapIter.Next called on exhausted iterator")
	}
	t, m := it.m.t, it.m.word()
	if it.i == 0 {
		it.keys, it.vals, it.n = rt.MapEntries(t, m)
	}
	for it.i++; it.i <= it.n; it.i++ {
		k := it.key()
		it.elem = rt.MapGet(t, m, k)
		if it.elem == nil && !rt.Equal(rt.Key(t), k, k) && rt.MapLen(m) > 0 {
			// A NaN is found by no one, and only all of them can be removed.
			it.elem = rt.At(it.vals, it.i-1, rt.Size(rt.Elem(t)))
		}
		if it.elem != nil {
			return true
		}
	}
	return false
}

// at checks that there is an entry.
func (it *MapIter) at(method string) {
	if it.i == 0 {
		panic(method + " called before Next")
	}
	if it.i > it.n {
		panic(method + " called on exhausted iterator")
	}
}

func (it *MapIter) Key() Value {
	it.at("MapIter.Key")
	return loadedCopy(rt.Key(it.m.t), it.key(), it.m.ro())
}

func (it *MapIter) Value() Value {
	it.at("MapIter.Value")
	return loadedCopy(rt.Elem(it.m.t), it.elem, it.m.ro())
}

// SetIterKey is v.Set(it.Key()) without a copy.
func (v Value) SetIterKey(it *MapIter) {
	it.at("reflect: Value.SetIterKey")
	v.set("SetIterKey")
	it.m.exported("reflect.Value.SetIterKey")
	k := value(rt.Key(it.m.t), it.key(), flagAddr)
	rt.Copy(v.t, v.p, k.assignTo("reflect.MapIter.SetKey", v.t).addr())
}

// SetIterValue is v.Set(it.Value()) without a copy.
func (v Value) SetIterValue(it *MapIter) {
	it.at("reflect: Value.SetIterValue")
	v.set("SetIterValue")
	it.m.exported("reflect.Value.SetIterValue")
	e := value(rt.Elem(it.m.t), it.elem, flagAddr)
	rt.Copy(v.t, v.p, e.assignTo("reflect.MapIter.SetValue", v.t).addr())
}
