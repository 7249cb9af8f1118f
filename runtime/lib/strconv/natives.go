// SPDX-License-Identifier: MIT

package strconv

func parseUint(s string, base, bits int) (n uint64, code int)
func parseInt(s string, base, bits int) (n int64, code int)
func parseFloat(s string, bits int) (f float64, used int, code int)

func formatInt(i int64, base int) string
func formatUint(u uint64, base int) string
func formatFloat(f float64, fmt byte, prec, bits int) string
func appendInt(dst []byte, i int64, base int) []byte
func appendUint(dst []byte, u uint64, base int) []byte
func appendFloat(dst []byte, f float64, fmt byte, prec, bits int) []byte

func appendQuote(dst []byte, s string, mode int) []byte
func appendQuoteRune(dst []byte, r rune, mode int) []byte

func isPrint(r rune) bool
func isGraphic(r rune) bool
