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

// appendUint appends v in decimal with at least width digits, 20 at most.
func appendUint(b []byte, v uint64, width int) []byte {
	n := 1
	for p := v; p >= 10; p /= 10 {
		n++
	}
	if n < width {
		n = width
	}
	b = append(b, "00000000000000000000"[:n]...)
	for i := len(b) - 1; v != 0; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
	return b
}

// A shown is a text that is made from its end on.
type shown struct {
	b [32]byte
	i int // where it begins
}

func (s *shown) put(c byte) {
	s.i--
	s.b[s.i] = c
}

func (s *shown) uint(v uint64) {
	for ; v >= 10; v /= 10 {
		s.put(byte('0' + v%10))
	}
	s.put(byte('0' + v))
}

// frac puts v / 10^digits, its fraction without final zeros.
func (s *shown) frac(v uint64, digits int) {
	any := false
	for ; digits > 0; digits-- {
		c := v % 10
		v /= 10
		if any = any || c != 0; any {
			s.put(byte('0' + c))
		}
	}
	if any {
		s.put('.')
	}
	s.uint(v)
}

// String returns d in the form "72h3m0.5s".
func (d Duration) String() string {
	var s shown
	s.i = len(s.b)
	u := uint64(d)
	if d < 0 {
		u = -u
	}
	s.put('s')
	switch {
	case u == 0:
		return "0s"
	case u < uint64(Microsecond):
		s.put('n')
		s.uint(u)
	case u < uint64(Millisecond):
		s.put("µ"[1])
		s.put("µ"[0])
		s.frac(u, 3)
	case u < uint64(Second):
		s.put('m')
		s.frac(u, 6)
	default:
		s.frac(u%uint64(Minute), 9)
		if m := u / uint64(Minute); m > 0 {
			s.put('m')
			s.uint(m % 60)
			if m >= 60 {
				s.put('h')
				s.uint(m / 60)
			}
		}
	}
	if d < 0 {
		s.put('-')
	}
	return string(s.b[s.i:])
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
