// SPDX-License-Identifier: MIT

package strconv

//race:none
func parseUint(s string, base, bits int) (n uint64, code int)

//race:none
func parseInt(s string, base, bits int) (n int64, code int)

//race:none
func parseFloat(s string, bits int) (f float64, used int, code int)

//race:none
func formatInt(i int64, base int) string

//race:none
func formatUint(u uint64, base int) string

//race:none
func formatFloat(f float64, fmt byte, prec, bits int) string

//race:appends dst
func appendInt(dst []byte, i int64, base int) []byte

//race:appends dst
func appendUint(dst []byte, u uint64, base int) []byte

//race:appends dst
func appendFloat(dst []byte, f float64, fmt byte, prec, bits int) []byte

//race:appends dst
func appendQuote(dst []byte, s string, mode int) []byte

//race:appends dst
func appendQuoteRune(dst []byte, r rune, mode int) []byte

//race:none
func isPrint(r rune) bool

//race:none
func isGraphic(r rune) bool
