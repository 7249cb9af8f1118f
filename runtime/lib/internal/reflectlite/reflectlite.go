// SPDX-License-Identifier: MIT

// Package reflectlite is what packages of Go's library below package reflect
// use of it. Vole's package reflect needs nothing of theirs.
package reflectlite

import "reflect"

type (
	Type  = reflect.Type
	Value = reflect.Value
	Kind  = reflect.Kind
)

const (
	Interface = reflect.Interface
	Ptr       = reflect.Pointer
	Slice     = reflect.Slice
	String    = reflect.String
	Struct    = reflect.Struct
)

// TypeOf is the type of the value in i.
func TypeOf(i any) Type { return reflect.TypeOf(i) }

// ValueOf is the value in i.
func ValueOf(i any) Value { return reflect.ValueOf(i) }

// Swapper is a function that swaps two elements of a slice.
func Swapper(slice any) func(i, j int) { return reflect.Swapper(slice) }
