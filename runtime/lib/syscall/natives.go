// SPDX-License-Identifier: MIT

package syscall

// errnoText is the text of an error number, e.g. "no such file or directory".
//
//race:none
func errnoText(e int) string

// signalText is the text of a signal, e.g. "interrupt".
//
//race:none
func signalText(s int) string
