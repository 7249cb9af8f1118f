// SPDX-License-Identifier: MIT

package pprof

import (
	"context"
	"sort"
	"strconv"
	"unsafe"
)

// A label is a key with a value. The runtime reads it, see labels in
// lib_pprof.h.
type label struct {
	key, value string
}

// A LabelSet is a set of labels, made by Labels.
type LabelSet struct {
	list []label // by key, each key once; never changed
}

// labelMap is what a goroutine carries: the runtime keeps its address.
type labelMap struct {
	LabelSet
}

// String returns the labels as profiles show them.
func (l *labelMap) String() string {
	if l == nil {
		return ""
	}
	b := []byte{'{'}
	for i, x := range l.list {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendQuote(b, x.key)
		b = append(b, ':')
		b = strconv.AppendQuote(b, x.value)
	}
	return string(append(b, '}'))
}

// labelContextKey is the key of a Context's labels.
type labelContextKey struct{}

// labelsOf returns the labels of a Context, nil if it has none.
func labelsOf(ctx context.Context) *labelMap {
	l, _ := ctx.Value(labelContextKey{}).(*labelMap)
	return l
}

// merge returns the labels of both lists; those of b hide those of a.
func merge(a, b []label) []label {
	if len(a) == 0 {
		return b
	}
	all := make([]label, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].key < b[0].key:
			all = append(all, a[0])
			a = a[1:]
		case a[0].key > b[0].key:
			all = append(all, b[0])
			b = b[1:]
		default:
			a = a[1:]
		}
	}
	all = append(all, a...)
	return append(all, b...)
}

// WithLabels returns a Context with labels added; those of keys that ctx has
// already replace its own.
func WithLabels(ctx context.Context, labels LabelSet) context.Context {
	list := labels.list
	if old := labelsOf(ctx); old != nil {
		list = merge(old.list, list)
	}
	return context.WithValue(ctx, labelContextKey{}, &labelMap{LabelSet{list}})
}

// Labels makes a LabelSet of keys and values in turn. Of equal keys the last
// counts.
func Labels(args ...string) LabelSet {
	if len(args)%2 != 0 {
		panic("uneven number of arguments to pprof.Labels")
	}
	list := make([]label, 0, len(args)/2)
	for i := 0; i+1 < len(args); i += 2 {
		list = append(list, label{args[i], args[i+1]})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].key < list[j].key })
	n := 0
	for i, x := range list {
		if i+1 < len(list) && list[i+1].key == x.key {
			continue
		}
		list[n] = x
		n++
	}
	return LabelSet{list[:n]}
}

// Label returns the value of the label with a key in ctx, and whether there
// is one.
func Label(ctx context.Context, key string) (string, bool) {
	if l := labelsOf(ctx); l != nil {
		for _, x := range l.list {
			if x.key == key {
				return x.value, true
			}
		}
	}
	return "", false
}

// ForLabels calls f for each label of ctx, until it returns false.
func ForLabels(ctx context.Context, f func(key, value string) bool) {
	if l := labelsOf(ctx); l != nil {
		for _, x := range l.list {
			if !f(x.key, x.value) {
				return
			}
		}
	}
}

// setLabels sets the goroutine's labels.
//
//race:none
func setLabels(l unsafe.Pointer)

// SetGoroutineLabels gives the goroutine the labels of ctx, instead of those
// that it has. A new goroutine begins with those of its creator.
func SetGoroutineLabels(ctx context.Context) {
	setLabels(unsafe.Pointer(labelsOf(ctx)))
}

// Do calls f with ctx and labels, which the goroutine carries meanwhile;
// afterwards it has those of ctx.
func Do(ctx context.Context, labels LabelSet, f func(context.Context)) {
	defer SetGoroutineLabels(ctx)
	ctx = WithLabels(ctx, labels)
	SetGoroutineLabels(ctx)
	f(ctx)
}
