// SPDX-License-Identifier: MIT

package time

import "unsafe"

// Layouts for Format and Parse, written as the reference time would be.
const (
	Layout      = "01/02 03:04:05PM '06 -0700"
	ANSIC       = "Mon Jan _2 15:04:05 2006"
	UnixDate    = "Mon Jan _2 15:04:05 MST 2006"
	RubyDate    = "Mon Jan 02 15:04:05 -0700 2006"
	RFC822      = "02 Jan 06 15:04 MST"
	RFC822Z     = "02 Jan 06 15:04 -0700"
	RFC850      = "Monday, 02-Jan-06 15:04:05 MST"
	RFC1123     = "Mon, 02 Jan 2006 15:04:05 MST"
	RFC1123Z    = "Mon, 02 Jan 2006 15:04:05 -0700"
	RFC3339     = "2006-01-02T15:04:05Z07:00"
	RFC3339Nano = "2006-01-02T15:04:05.999999999Z07:00"
	Kitchen     = "3:04PM"
	Stamp       = "Jan _2 15:04:05"
	StampMilli  = "Jan _2 15:04:05.000"
	StampMicro  = "Jan _2 15:04:05.000000"
	StampNano   = "Jan _2 15:04:05.000000000"
	DateTime    = "2006-01-02 15:04:05"
	DateOnly    = "2006-01-02"
	TimeOnly    = "15:04:05"
)

// appendInt appends v with at least width digits, after a minus sign.
func appendInt(b []byte, v, width int) []byte {
	if width == 2 && 0 <= v && v < 100 {
		return append(b, byte('0'+v/10), byte('0'+v%10))
	}
	if v < 0 {
		return appendUint(append(b, '-'), uint64(-v), width)
	}
	return appendUint(b, uint64(v), width)
}

// appendNsec appends the separator and n digits of the fraction; without
// final zeros, and nothing for 0, if trim.
func appendNsec(b []byte, sep byte, nsec, n int, trim bool) []byte {
	at := len(b)
	b = append(b, sep)
	b = appendUint(b, uint64(nsec), 9)
	if n > 9 {
		n = 9
	}
	b = b[:at+1+n]
	if trim {
		for len(b) > at && b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
		if len(b) == at+1 {
			b = b[:at]
		}
	}
	return b
}

func appendOffset(b []byte, form, offset int) []byte {
	if form&offZ != 0 && offset == 0 {
		return append(b, 'Z')
	}
	min := offset / 60
	abs := offset
	if min < 0 {
		b = append(b, '-')
		min = -min
		abs = -abs
	} else {
		b = append(b, '+')
	}
	b = appendInt(b, min/60, 2)
	if form&offMinutes != 0 {
		if form&offColon != 0 {
			b = append(b, ':')
		}
		b = appendInt(b, min%60, 2)
	}
	if form&offSeconds != 0 {
		if form&offColon != 0 {
			b = append(b, ':')
		}
		b = appendInt(b, abs%60, 2)
	}
	return b
}

// Format returns t as the layout shows the reference time.
func (t Time) Format(layout string) string {
	b := t.AppendFormat(make([]byte, 0, len(layout)+16), layout)
	// Nobody else has b.
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// appendRFC3339 appends local seconds since year 1 with an offset in the form
// of RFC 3339, and the fraction where nano is set. It answers false for years
// that have not four digits.
func appendRFC3339(b []byte, local int64, offset, nsec int, nano bool) ([]byte, bool) {
	days, rest := splitDays(local)
	year, month, day, _ := civil(days)
	if year < 0 || year > 9999 {
		return b, false
	}
	at := len(b)
	b = append(b, "0000-00-00T00:00:00"...)
	d := b[at : at+19]
	put2 := func(i, v int) {
		d[i] = byte('0' + v/10)
		d[i+1] = byte('0' + v%10)
	}
	put2(0, year/100)
	put2(2, year%100)
	put2(5, int(month))
	put2(8, day)
	put2(11, int(rest/3600))
	put2(14, int(rest%3600/60))
	put2(17, int(rest%60))
	if nano {
		b = appendNsec(b, '.', nsec, 9, true)
	}
	return appendOffset(b, offMinutes|offColon|offZ, offset), true
}

// AppendFormat appends the result of Format to b.
func (t Time) AppendFormat(b []byte, layout string) []byte {
	name, offset, _, _, _ := t.loc.lookup(t.Unix())
	local := t.sec() + int64(offset)
	if nano := layout == RFC3339Nano; nano || layout == RFC3339 {
		if b, ok := appendRFC3339(b, local, offset, int(t.nsec()), nano); ok {
			return b
		}
	}
	days, _ := splitDays(local)
	year, month, day, yday := civil(days)
	hour, min, sec := clock(local)
	for layout != "" {
		prefix, elem, n, rest := nextElem(layout)
		b = append(b, prefix...)
		if elem == elemNone {
			break
		}
		at := len(prefix) // of the element
		switch elem {
		case elemYear:
			y := year
			if y < 0 {
				y = -y
			}
			b = appendInt(b, y%100, 2)
		case elemLongYear:
			b = appendInt(b, year, 4)
		case elemMonth:
			b = append(b, monthName(month)[:3]...)
		case elemLongMonth:
			b = append(b, monthName(month)...)
		case elemNumMonth:
			b = appendInt(b, int(month), 0)
		case elemZeroMonth:
			b = appendInt(b, int(month), 2)
		case elemWeekday:
			b = append(b, dayName(weekday(days))[:3]...)
		case elemLongWeekday:
			b = append(b, dayName(weekday(days))...)
		case elemDay:
			b = appendInt(b, day, 0)
		case elemUnderDay:
			if day < 10 {
				b = append(b, ' ')
			}
			b = appendInt(b, day, 0)
		case elemZeroDay:
			b = appendInt(b, day, 2)
		case elemUnderYearDay:
			if yday+1 < 100 {
				b = append(b, ' ')
			}
			if yday+1 < 10 {
				b = append(b, ' ')
			}
			b = appendInt(b, yday+1, 0)
		case elemZeroYearDay:
			b = appendInt(b, yday+1, 3)
		case elemHour:
			b = appendInt(b, hour, 2)
		case elemHour12, elemZeroHour12:
			h := hour % 12
			if h == 0 {
				h = 12
			}
			width := 0
			if elem == elemZeroHour12 {
				width = 2
			}
			b = appendInt(b, h, width)
		case elemMinute:
			b = appendInt(b, min, 0)
		case elemZeroMinute:
			b = appendInt(b, min, 2)
		case elemSecond:
			b = appendInt(b, sec, 0)
		case elemZeroSecond:
			b = appendInt(b, sec, 2)
		case elemPM:
			if hour >= 12 {
				b = append(b, "PM"...)
			} else {
				b = append(b, "AM"...)
			}
		case elempm:
			if hour >= 12 {
				b = append(b, "pm"...)
			} else {
				b = append(b, "am"...)
			}
		case elemOffset:
			b = appendOffset(b, n, offset)
		case elemTZ:
			if name != "" {
				b = append(b, name...)
			} else {
				b = appendOffset(b, offMinutes, offset)
			}
		case elemFrac0, elemFrac9:
			b = appendNsec(b, layout[at], int(t.nsec()), n, elem == elemFrac9)
		}
		layout = rest
	}
	return b
}

// String returns t with all that is known of it, for debugging.
func (t Time) String() string {
	s := t.Format("2006-01-02 15:04:05.999999999 -0700 MST")
	if t.wall&hasMonotonic == 0 {
		return s
	}
	b := append([]byte(s), " m="...)
	abs := uint64(t.ext)
	sign := byte('+')
	if t.ext < 0 {
		sign = '-'
		abs = -abs
	}
	b = append(b, sign)
	b = appendUint(b, abs/1e9, 0)
	b = append(b, '.')
	return string(appendUint(b, abs%1e9, 9))
}

// GoString returns t as a Go expression.
func (t Time) GoString() string {
	days, _ := splitDays(t.local())
	year, month, day, _ := civil(days)
	hour, min, sec := t.Clock()
	b := append([]byte(nil), "time.Date("...)
	b = append(appendInt(b, year, 0), ", "...)
	if January <= month && month <= December {
		b = append(append(b, "time."...), monthName(month)...)
	} else {
		b = appendInt(b, int(month), 0)
	}
	for _, v := range [...]int{day, hour, min, sec, t.Nanosecond()} {
		b = appendInt(append(b, ", "...), v, 0)
	}
	b = append(b, ", "...)
	switch loc := t.Location(); loc {
	case UTC:
		b = append(b, "time.UTC"...)
	case Local:
		b = append(b, "time.Local"...)
	default:
		b = append(b, "time.Location("...)
		b = append(append(b, quote(loc.name)...), ')')
	}
	return string(append(b, ')'))
}
