// SPDX-License-Identifier: MIT

// Package encoding has the interfaces of values that turn themselves into
// bytes or text and back.
package encoding

// A BinaryMarshaler turns itself into bytes.
type BinaryMarshaler interface {
	MarshalBinary() (data []byte, err error)
}

// A BinaryUnmarshaler reads what MarshalBinary made; it must copy data.
type BinaryUnmarshaler interface {
	UnmarshalBinary(data []byte) error
}

// A BinaryAppender appends its bytes to b.
type BinaryAppender interface {
	AppendBinary(b []byte) ([]byte, error)
}

// A TextMarshaler turns itself into UTF-8 text.
type TextMarshaler interface {
	MarshalText() (text []byte, err error)
}

// A TextUnmarshaler reads what MarshalText made; it must copy text.
type TextUnmarshaler interface {
	UnmarshalText(text []byte) error
}

// A TextAppender appends its text to b.
type TextAppender interface {
	AppendText(b []byte) ([]byte, error)
}
