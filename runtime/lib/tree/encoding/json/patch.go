// SPDX-License-Identifier: MIT

// Package json: what is read is looked through by a native first, where Go's
// scanner calls a function for every byte.
package json

// nativeMost is the largest text that the native looks through: it cannot be
// preempted meanwhile.
const nativeMost = 4 << 20

// wellFormed reports whether data is one JSON value, as the scanner has it.
//
//race:reads data
func wellFormed(data []byte) bool

// checkValid reports whether data is one JSON value. What is wrong with one
// that is not, the scanner says.
func checkValid(data []byte, scan *scanner) error {
	scan.reset()
	if len(data) <= nativeMost && wellFormed(data) {
		scan.bytes += int64(len(data))
		return nil
	}
	for at := range data {
		scan.bytes++
		if scan.step(scan, data[at]) == scanError {
			return scan.err
		}
	}
	if scan.eof() == scanError {
		return scan.err
	}
	return nil
}
