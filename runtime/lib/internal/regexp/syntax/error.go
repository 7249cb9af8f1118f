// SPDX-License-Identifier: MIT

// Package syntax has the error that package regexp gives, which is that of
// regexp/syntax where a tree of Go's sources has that package.
package syntax

// An Error says what is wrong with a regular expression.
type Error struct {
	Code ErrorCode
	Expr string
}

func (e *Error) Error() string {
	return "error parsing regexp: " + string(e.Code) + ": `" + e.Expr + "`"
}

// An ErrorCode is one kind of them.
type ErrorCode string

func (c ErrorCode) String() string { return string(c) }
