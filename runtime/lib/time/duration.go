// SPDX-License-Identifier: MIT

package time

import "errors"

// A Duration is an elapsed time in nanoseconds.
type Duration int64

const (
	minDuration Duration = -1 << 63
	maxDuration Duration = 1<<63 - 1
)

const (
	Nanosecond  Duration = 1
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
)

// appendFrac appends v / 10^digits with its fraction, without final zeros.
func appendFrac(b []byte, v uint64, digits int) []byte {
	unit := uint64(1)
	for i := 0; i < digits; i++ {
		unit *= 10
	}
	b = appendUint(b, v/unit, 0)
	frac := v % unit
	if frac == 0 {
		return b
	}
	b = append(b, '.')
	for frac != 0 {
		unit /= 10
		b = append(b, byte('0'+frac/unit))
		frac %= unit
	}
	return b
}

// appendUint appends v in decimal with at least width digits.
func appendUint(b []byte, v uint64, width int) []byte {
	n := 1
	for p := v; p >= 10; p /= 10 {
		n++
	}
	for ; width > n; width-- {
		b = append(b, '0')
	}
	at := len(b) + n
	for i := 0; i < n; i++ {
		b = append(b, '0')
	}
	for i := 1; i <= n; i++ {
		b[at-i] = byte('0' + v%10)
		v /= 10
	}
	return b
}

// String returns d in the form "72h3m0.5s".
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	b := make([]byte, 0, 32)
	u := uint64(d)
	if d < 0 {
		u = -u
		b = append(b, '-')
	}
	if u < uint64(Second) {
		switch {
		case u < uint64(Microsecond):
			return string(append(appendUint(b, u, 0), "ns"...))
		case u < uint64(Millisecond):
			return string(append(appendFrac(b, u, 3), "µs"...))
		}
		return string(append(appendFrac(b, u, 6), "ms"...))
	}
	if h := u / uint64(Hour); h > 0 {
		b = append(appendUint(b, h, 0), 'h')
	}
	if m := u / uint64(Minute); m > 0 {
		b = append(appendUint(b, m%60, 0), 'm')
	}
	return string(append(appendFrac(b, u%uint64(Minute), 9), 's'))
}

// Nanoseconds returns d as a number of nanoseconds.
func (d Duration) Nanoseconds() int64 { return int64(d) }

// Microseconds returns d as a number of microseconds.
func (d Duration) Microseconds() int64 { return int64(d) / 1e3 }

// Milliseconds returns d as a number of milliseconds.
func (d Duration) Milliseconds() int64 { return int64(d) / 1e6 }

// in returns d in units; dividing the parts apart keeps precision.
func (d Duration) in(unit Duration) float64 {
	return float64(d/unit) + float64(d%unit)/float64(unit)
}

// Seconds returns d as a number of seconds.
func (d Duration) Seconds() float64 { return d.in(Second) }

// Minutes returns d as a number of minutes.
func (d Duration) Minutes() float64 { return d.in(Minute) }

// Hours returns d as a number of hours.
func (d Duration) Hours() float64 { return d.in(Hour) }

// Truncate rounds d towards zero to a multiple of m.
func (d Duration) Truncate(m Duration) Duration {
	if m <= 0 {
		return d
	}
	return d - d%m
}

// lessThanHalf reports whether x + x < y without overflow.
func lessThanHalf(x, y Duration) bool {
	return uint64(x)+uint64(x) < uint64(y)
}

// Round rounds d to the nearest multiple of m, halves away from zero.
func (d Duration) Round(m Duration) Duration {
	if m <= 0 {
		return d
	}
	r := d % m
	if d < 0 {
		r = -r
		if lessThanHalf(r, m) {
			return d + r
		}
		if down := d - m + r; down < d {
			return down
		}
		return minDuration
	}
	if lessThanHalf(r, m) {
		return d - r
	}
	if up := d + m - r; up > d {
		return up
	}
	return maxDuration
}

// Abs returns the absolute value, the largest Duration for the smallest.
func (d Duration) Abs() Duration {
	switch {
	case d >= 0:
		return d
	case d == minDuration:
		return maxDuration
	}
	return -d
}

// unitOf returns the value of a unit of ParseDuration, 0 for none.
func unitOf(name string) uint64 {
	switch name {
	case "ns":
		return uint64(Nanosecond)
	case "us", "µs", "μs":
		return uint64(Microsecond)
	case "ms":
		return uint64(Millisecond)
	case "s":
		return uint64(Second)
	case "m":
		return uint64(Minute)
	case "h":
		return uint64(Hour)
	}
	return 0
}

// ParseDuration parses a sequence of decimal numbers with units, such as
// "-1.5h20m".
func ParseDuration(s string) (Duration, error) {
	invalid := func() (Duration, error) {
		return 0, errors.New("time: invalid duration " + quote(s))
	}
	const limit = 1 << 63
	rest := s
	neg := false
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		neg = rest[0] == '-'
		rest = rest[1:]
	}
	if rest == "0" {
		return 0, nil
	}
	if rest == "" {
		return invalid()
	}
	var total uint64
	for rest != "" {
		var v uint64
		n := 0
		for ; n < len(rest) && isDigit(rest, n); n++ {
			if v > limit/10 {
				return invalid()
			}
			v = v*10 + uint64(rest[n]-'0')
			if v > limit {
				return invalid()
			}
		}
		digits := n
		frac, scale := uint64(0), 1.0
		if n < len(rest) && rest[n] == '.' {
			n++
			full := false // further digits do not count
			for ; n < len(rest) && isDigit(rest, n); n++ {
				digits++
				if full || frac > (limit-1)/10 {
					full = true
					continue
				}
				f := frac*10 + uint64(rest[n]-'0')
				if f > limit {
					full = true
					continue
				}
				frac = f
				scale *= 10
			}
		}
		if digits == 0 {
			return invalid()
		}
		rest = rest[n:]
		n = 0
		for n < len(rest) && rest[n] != '.' && !isDigit(rest, n) {
			n++
		}
		if n == 0 {
			return 0, errors.New("time: missing unit in duration " + quote(s))
		}
		unit := unitOf(rest[:n])
		if unit == 0 {
			return 0, errors.New("time: unknown unit " + quote(rest[:n]) +
				" in duration " + quote(s))
		}
		rest = rest[n:]
		if v > limit/unit {
			return invalid()
		}
		v *= unit
		if frac > 0 {
			v += uint64(float64(frac) * (float64(unit) / scale))
			if v > limit {
				return invalid()
			}
		}
		total += v
		if total > limit {
			return invalid()
		}
	}
	if neg {
		return -Duration(total), nil
	}
	if total > limit-1 {
		return invalid()
	}
	return Duration(total), nil
}
