// SPDX-License-Identifier: MIT

// Package sort sorts slices and user-defined collections.
//
// Ints, Float64s and Strings are natives (native.c). algo.go has the
// algorithms over Interface; algo_func.go, made from it by mkfunc.py, has
// the same ones over a less function and a swapper for Slice.
package sort

import "unsafe"

// Interface is what Sort and Stable need to know of a collection.
type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

// ints, floats and strings sort in place; NaNs go first.
//
//race:writes x
func ints(x []int)

//race:writes x
func floats(x []float64)

//race:writes x
func strings(x []string)

// intsSorted, floatsSorted and stringsSorted report whether x is sorted.
//
//race:reads x
func intsSorted(x []int) bool

//race:reads x
func floatsSorted(x []float64) bool

//race:reads x
func stringsSorted(x []string) bool

// sliceOf takes a slice of any type apart; ok is false for anything else.
// elem identifies the element type for swap; word is true if elements are 64
// bits without pointers.
//
//race:none
func sliceOf(x any) (data unsafe.Pointer, n int, elem unsafe.Pointer, word, ok bool)

// swap exchanges elements i and j, which are in range.
//
//race:writes data as elem at i, writes data as elem at j
func swap(data, elem unsafe.Pointer, i, j int)

// kindName returns the kind of x's type: "int", "struct".
//
//race:none
func kindName(x any) string

// Sort sorts data by its Less; equal elements may change places.
func Sort(data Interface) {
	n := data.Len()
	quickSort(data, 0, n, badPivots(n))
}

// Stable sorts data by its Less and keeps the order of equal elements.
func Stable(data Interface) {
	stable(data, data.Len())
}

// IsSorted reports whether data is sorted.
func IsSorted(data Interface) bool {
	for i := data.Len() - 1; i > 0; i-- {
		if data.Less(i, i-1) {
			return false
		}
	}
	return true
}

type reverse struct {
	Interface
}

func (r reverse) Less(i, j int) bool { return r.Interface.Less(j, i) }

// Reverse returns data with the opposite order.
func Reverse(data Interface) Interface { return &reverse{data} }

// lessSwap is Slice's view of a slice.
type lessSwap struct {
	data  unsafe.Pointer
	elem  unsafe.Pointer
	words []uint64 // all of the slice, if that is what its elements are
}

func open(x any, name string) (*lessSwap, int) {
	data, n, elem, word, ok := sliceOf(x)
	if !ok {
		if x == nil {
			panic(&valueError{name, "zero Value"})
		}
		panic(&valueError{name, kindName(x) + " Value"})
	}
	var words []uint64
	if word {
		words = unsafe.Slice((*uint64)(data), n)
	}
	return &lessSwap{data, elem, words}, n
}

// A valueError is the panic of Slice for an argument that is no slice.
type valueError struct {
	method string
	kind   string
}

func (e *valueError) Error() string {
	return "reflect: call of " + e.method + " on " + e.kind
}

// Slice sorts the slice x by less; equal elements may change places. It
// panics if x is not a slice.
func Slice(x any, less func(i, j int) bool) {
	data, n := open(x, "Swapper")
	quickSort_func(data, less, 0, n, badPivots(n))
}

// SliceStable sorts the slice x by less and keeps the order of equal
// elements. It panics if x is not a slice.
func SliceStable(x any, less func(i, j int) bool) {
	data, n := open(x, "Swapper")
	stable_func(data, less, n)
}

// SliceIsSorted reports whether the slice x is sorted by less.
func SliceIsSorted(x any, less func(i, j int) bool) bool {
	_, n := open(x, "reflect.Value.Len")
	for i := n - 1; i > 0; i-- {
		if less(i, i-1) {
			return false
		}
	}
	return true
}

// IntSlice attaches the methods of Interface to []int.
type IntSlice []int

func (x IntSlice) Len() int           { return len(x) }
func (x IntSlice) Less(i, j int) bool { return x[i] < x[j] }
func (x IntSlice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }

// Sort sorts x in increasing order.
func (x IntSlice) Sort() { ints(x) }

// Search is SearchInts on p.
func (p IntSlice) Search(x int) int { return SearchInts(p, x) }

// Float64Slice attaches the methods of Interface to []float64; NaNs order
// before other values.
type Float64Slice []float64

func (x Float64Slice) Len() int { return len(x) }
func (x Float64Slice) Less(i, j int) bool {
	return x[i] < x[j] || (x[i] != x[i] && x[j] == x[j])
}
func (x Float64Slice) Swap(i, j int) { x[i], x[j] = x[j], x[i] }

// Sort sorts x in increasing order.
func (x Float64Slice) Sort() { floats(x) }

// Search is SearchFloat64s on p.
func (p Float64Slice) Search(x float64) int { return SearchFloat64s(p, x) }

// StringSlice attaches the methods of Interface to []string.
type StringSlice []string

func (x StringSlice) Len() int           { return len(x) }
func (x StringSlice) Less(i, j int) bool { return x[i] < x[j] }
func (x StringSlice) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }

// Sort sorts x in increasing order.
func (x StringSlice) Sort() { strings(x) }

// Search is SearchStrings on p.
func (p StringSlice) Search(x string) int { return SearchStrings(p, x) }

// Ints sorts x in increasing order.
func Ints(x []int) { ints(x) }

// Float64s sorts x in increasing order, NaNs first.
func Float64s(x []float64) { floats(x) }

// Strings sorts x in increasing order.
func Strings(x []string) { strings(x) }

// IntsAreSorted reports whether x is sorted.
func IntsAreSorted(x []int) bool { return intsSorted(x) }

// Float64sAreSorted reports whether x is sorted, NaNs first.
func Float64sAreSorted(x []float64) bool { return floatsSorted(x) }

// StringsAreSorted reports whether x is sorted.
func StringsAreSorted(x []string) bool { return stringsSorted(x) }
