// SPDX-License-Identifier: MIT

package strconv

func checkBase(base int) {
	if base < 2 || base > 36 {
		panic("strconv: illegal AppendInt/FormatInt base")
	}
}

// Itoa is FormatInt(int64(i), 10).
func Itoa(i int) string { return formatInt(int64(i), 10) }

// FormatInt writes i in base 2 to 36, with lower-case digits.
func FormatInt(i int64, base int) string {
	checkBase(base)
	return formatInt(i, base)
}

// FormatUint writes i in base 2 to 36, with lower-case digits.
func FormatUint(i uint64, base int) string {
	checkBase(base)
	return formatUint(i, base)
}

// AppendInt appends FormatInt(i, base) to dst.
func AppendInt(dst []byte, i int64, base int) []byte {
	checkBase(base)
	return appendInt(dst, i, base)
}

// AppendUint appends FormatUint(i, base) to dst.
func AppendUint(dst []byte, i uint64, base int) []byte {
	checkBase(base)
	return appendUint(dst, i, base)
}

// FormatBool is "true" or "false".
func FormatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// AppendBool appends "true" or "false" to dst.
func AppendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

func checkBits(bitSize int) {
	if bitSize != 32 && bitSize != 64 {
		panic("strconv: illegal AppendFloat/FormatFloat bitSize")
	}
}

// FormatFloat writes f, rounded as if it came from a float of bitSize bits.
func FormatFloat(f float64, fmt byte, prec, bitSize int) string {
	checkBits(bitSize)
	return formatFloat(f, fmt, prec, bitSize)
}

// AppendFloat appends FormatFloat(f, fmt, prec, bitSize) to dst.
func AppendFloat(dst []byte, f float64, fmt byte, prec, bitSize int) []byte {
	checkBits(bitSize)
	return appendFloat(dst, f, fmt, prec, bitSize)
}

// FormatComplex writes c as (a+bi) with the parts formatted by FormatFloat.
func FormatComplex(c complex128, fmt byte, prec, bitSize int) string {
	if bitSize != 64 && bitSize != 128 {
		panic("invalid bitSize")
	}
	bitSize >>= 1
	im := FormatFloat(imag(c), fmt, prec, bitSize)
	if im[0] != '+' && im[0] != '-' {
		im = "+" + im
	}
	return "(" + FormatFloat(real(c), fmt, prec, bitSize) + im + "i)"
}
