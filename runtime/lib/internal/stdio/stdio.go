// SPDX-License-Identifier: MIT

// Package stdio is the way from package fmt to standard output that does not
// need package os, so that small programs need not load it.
package stdio

import "io"

// Stdout writes to what os.Stdout is at the moment. Package os sets it.
var Stdout func(b []byte) (n int, err error)

type writeError struct{ text string }

func (e *writeError) Error() string { return "write /dev/stdout: " + e.text }

// Write writes b to standard output.
func Write(b []byte) (n int, err error) {
	if Stdout != nil {
		return Stdout(b)
	}
	n, text := write(1, b)
	if text != "" {
		return n, &writeError{text}
	}
	return n, nil
}

// Stdin reads from what os.Stdin is at the moment. Package os sets it.
var Stdin func(b []byte) (n int, err error)

// In is a reader of standard input.
type In struct{}

func (In) Read(b []byte) (n int, err error) {
	if Stdin != nil {
		return Stdin(b)
	}
	if len(b) == 0 {
		return 0, nil
	}
	n, text := read(0, b)
	if text != "" {
		return 0, &readError{text}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

type readError struct{ text string }

func (e *readError) Error() string { return "read /dev/stdin: " + e.text }
