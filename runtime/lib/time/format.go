// SPDX-License-Identifier: MIT

package time

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

// Elements of a layout.
const (
	elemNone = iota
	elemLongMonth
	elemMonth
	elemNumMonth
	elemZeroMonth
	elemLongWeekday
	elemWeekday
	elemDay
	elemUnderDay
	elemZeroDay
	elemUnderYearDay
	elemZeroYearDay
	elemHour
	elemHour12
	elemZeroHour12
	elemMinute
	elemZeroMinute
	elemSecond
	elemZeroSecond
	elemLongYear
	elemYear
	elemPM
	elempm
	elemTZ
	elemFrac0 // with the number of digits in n
	elemFrac9
	elemOffset // with the form in n
)

// Forms of an offset: what is shown, and Z for UTC.
const (
	offMinutes = 1 << iota // minutes too
	offSeconds             // seconds too
	offColon               // with colons
	offZ                   // Z for 0
)

func isDigit(s string, i int) bool {
	return i < len(s) && '0' <= s[i] && s[i] <= '9'
}

func has(s, prefix string) bool {
	return len(s) >= len(prefix) && s[:len(prefix)] == prefix
}

// nextElem finds the first element of a layout: the text before it, what it
// is with its number of digits or form, and the rest. See layout.c, which
// knows the numbers of the elements.
//
//race:none
func nextElem(layout string) (prefix string, elem, n int, rest string)

// appendInt appends v with at least width digits, after a minus sign.
func appendInt(b []byte, v, width int) []byte {
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
	return string(t.AppendFormat(make([]byte, 0, len(layout)+16), layout))
}

// AppendFormat appends the result of Format to b.
func (t Time) AppendFormat(b []byte, layout string) []byte {
	name, offset, _, _, _ := t.loc.lookup(t.Unix())
	local := t.sec() + int64(offset)
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
