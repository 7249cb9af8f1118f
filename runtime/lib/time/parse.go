// SPDX-License-Identifier: MIT

package time

import "errors"

// A ParseError tells where parsing a time failed.
type ParseError struct {
	Layout     string
	Value      string
	LayoutElem string
	ValueElem  string
	Message    string
}

// Error implements error.
func (e *ParseError) Error() string {
	s := "parsing time " + quote(e.Value)
	if e.Message != "" {
		return s + e.Message
	}
	return s + " as " + quote(e.Layout) + ": cannot parse " +
		quote(e.ValueElem) + " as " + quote(e.LayoutElem)
}

// quote puts s in quotes; control characters and bytes of non-ASCII runes
// appear in hexadecimal.
func quote(s string) string {
	const hex = "0123456789abcdef"
	b := append(make([]byte, 0, len(s)+2), '"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 0x80 || c < ' ':
			b = append(b, '\\', 'x', hex[c>>4], hex[c&15])
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

var errBad = errors.New("bad value for field")

// number parses all of s as a decimal number with an optional sign; no
// digits are 0.
func number(s string) (v int, err error) {
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	for i := 0; i < len(s); i++ {
		if !isDigit(s, i) {
			return 0, errBad
		}
		v = v*10 + int(s[i]-'0')
	}
	if neg {
		v = -v
	}
	return v, nil
}

// digits takes a number of one to most digits from the front, of exactly
// most if fixed.
func digits(s string, most int, fixed bool) (v int, rest string, err error) {
	i := 0
	for i < most && isDigit(s, i) {
		v = v*10 + int(s[i]-'0')
		i++
	}
	if i == 0 || fixed && i < most {
		return 0, s, errBad
	}
	return v, s[i:], nil
}

// nameAt finds which name s begins with, whatever the case of its letters:
// the first three letters of the names, or all of them.
func nameAt(s string, count int, name func(int) string, long bool) (i int, rest string, err error) {
	for i = 0; i < count; i++ {
		n := name(i)
		if !long {
			n = n[:3]
		}
		if len(s) < len(n) {
			continue
		}
		k := 0
		for k < len(n) && s[k]|0x20 == n[k]|0x20 {
			k++
		}
		if k == len(n) {
			return i, s[k:], nil
		}
	}
	return -1, s, errBad
}

func monthAt(i int) string   { return monthName(Month(i + 1)) }
func weekdayAt(i int) string { return dayName(Weekday(i)) }

// skip takes the text of a layout from the front of the value; a run of
// spaces in the one stands for any in the other.
func skip(value, prefix string) (string, error) {
	for prefix != "" {
		if prefix[0] == ' ' {
			if value != "" && value[0] != ' ' {
				return value, errBad
			}
			for prefix != "" && prefix[0] == ' ' {
				prefix = prefix[1:]
			}
			for value != "" && value[0] == ' ' {
				value = value[1:]
			}
			continue
		}
		if value == "" || value[0] != prefix[0] {
			return value, errBad
		}
		prefix = prefix[1:]
		value = value[1:]
	}
	return value, nil
}

func isPoint(c byte) bool { return c == '.' || c == ',' }

// fraction parses the first n bytes of value, a point and digits.
func fraction(value string, n int) (nsec int, rangeErr string, err error) {
	if !isPoint(value[0]) {
		return 0, "", errBad
	}
	if n > 10 {
		value = value[:10]
		n = 10
	}
	nsec, err = number(value[1:n])
	if err != nil {
		return 0, "", err
	}
	if nsec < 0 {
		return 0, "fractional second", nil
	}
	for i := n; i < 10; i++ {
		nsec *= 10
	}
	return nsec, "", nil
}

// zoneAbbr returns the length of the zone abbreviation at the beginning of
// value: three or four letters, five for one like WITA or ChST, GMT with an
// offset, or an offset.
func zoneAbbr(value string) (length int, ok bool) {
	if len(value) < 3 {
		return 0, false
	}
	if has(value, "ChST") || has(value, "MeST") {
		return 4, true
	}
	if has(value, "GMT") {
		return 3 + hoursLen(value[3:]), true
	}
	if value[0] == '+' || value[0] == '-' {
		length = hoursLen(value)
		return length, length > 0
	}
	n := 0
	for n < 6 && n < len(value) && 'A' <= value[n] && value[n] <= 'Z' {
		n++
	}
	switch n {
	case 5:
		return 5, value[4] == 'T'
	case 4:
		return 4, value[3] == 'T' || has(value, "WITA")
	case 3:
		return 3, true
	}
	return 0, false
}

// hoursLen returns the length of a sign and hours up to 23, 0 for none.
func hoursLen(s string) int {
	if s == "" || s[0] != '+' && s[0] != '-' {
		return 0
	}
	v, i := 0, 1
	for ; isDigit(s, i); i++ {
		if v = v*10 + int(s[i]-'0'); v > 1e9 {
			return 0
		}
	}
	if i == 1 || v > 23 {
		return 0
	}
	return i
}

// fields is what has been read of a time.
type fields struct {
	year, month, day, yday int
	hour, min, sec, nsec   int
	pm, am                 bool
	utc                    bool
	offset                 int // -1: none
	zone                   string
}

// offset parses an offset in the given form.
func (f *fields) parseOffset(value string, form int) (rest, rangeErr string, err error) {
	if form&offZ != 0 && value != "" && value[0] == 'Z' {
		f.utc = true
		return value[1:], "", nil
	}
	var part [3]int
	count := 1
	if form&offMinutes != 0 {
		count = 2
	}
	if form&offSeconds != 0 {
		count = 3
	}
	length := 1 + 2*count
	if form&offColon != 0 {
		length += count - 1
	}
	if len(value) < length {
		return value, "", errBad
	}
	at := 1
	for i := 0; i < count; i++ {
		if i > 0 && form&offColon != 0 {
			if value[at] != ':' {
				return value, "", errBad
			}
			at++
		}
		at += 2
	}
	at = 1
	for i := 0; i < count; i++ {
		if i > 0 && form&offColon != 0 {
			at++
		}
		if part[i], _, err = digits(value[at:at+2], 2, true); err != nil {
			part[i] = 0
			break
		}
		at += 2
	}
	// Some write 24 hours or 60 minutes.
	switch {
	case part[2] > 60:
		rangeErr = "time zone offset second"
	case part[1] > 60:
		rangeErr = "time zone offset minute"
	case part[0] > 24:
		rangeErr = "time zone offset hour"
	}
	f.offset = (part[0]*60+part[1])*60 + part[2]
	switch value[0] {
	case '+':
	case '-':
		f.offset = -f.offset
	default:
		err = errBad
	}
	return value[length:], rangeErr, err
}

// element parses one layout element; rest is the layout after it.
func (f *fields) element(elem, n int, value, layout string) (rest, rangeErr string, err error) {
	switch elem {
	case elemYear:
		if len(value) < 2 {
			return value, "", errBad
		}
		f.year, err = number(value[:2])
		if err != nil {
			return value, "", err
		}
		value = value[2:]
		if f.year >= 69 {
			f.year += 1900
		} else {
			f.year += 2000
		}
	case elemLongYear:
		if len(value) < 4 || !isDigit(value, 0) {
			return value, "", errBad
		}
		f.year, err = number(value[:4])
		value = value[4:]
	case elemMonth, elemLongMonth:
		f.month, value, err = nameAt(value, 12, monthAt, elem == elemLongMonth)
		f.month++
	case elemNumMonth, elemZeroMonth:
		f.month, value, err = digits(value, 2, elem == elemZeroMonth)
		if err == nil && (f.month <= 0 || f.month > 12) {
			rangeErr = "month"
		}
	case elemWeekday, elemLongWeekday:
		_, value, err = nameAt(value, 7, weekdayAt, elem == elemLongWeekday)
	case elemDay, elemUnderDay, elemZeroDay:
		if elem == elemUnderDay && value != "" && value[0] == ' ' {
			value = value[1:]
		}
		f.day, value, err = digits(value, 2, elem == elemZeroDay)
	case elemUnderYearDay, elemZeroYearDay:
		for i := 0; i < 2; i++ {
			if elem == elemUnderYearDay && value != "" && value[0] == ' ' {
				value = value[1:]
			}
		}
		f.yday, value, err = digits(value, 3, elem == elemZeroYearDay)
	case elemHour:
		f.hour, value, err = digits(value, 2, false)
		if f.hour >= 24 {
			rangeErr = "hour"
		}
	case elemHour12, elemZeroHour12:
		f.hour, value, err = digits(value, 2, elem == elemZeroHour12)
		if f.hour > 12 {
			rangeErr = "hour"
		}
	case elemMinute, elemZeroMinute:
		f.min, value, err = digits(value, 2, elem == elemZeroMinute)
		if f.min >= 60 {
			rangeErr = "minute"
		}
	case elemSecond, elemZeroSecond:
		f.sec, value, err = digits(value, 2, elem == elemZeroSecond)
		if err != nil {
			break
		}
		if f.sec >= 60 {
			rangeErr = "second"
			break
		}
		// A fraction may follow that the layout does not mention.
		if len(value) >= 2 && isPoint(value[0]) && isDigit(value, 1) {
			_, next, _, _ := nextElem(layout)
			if next == elemFrac0 || next == elemFrac9 {
				break
			}
			k := 2
			for isDigit(value, k) {
				k++
			}
			f.nsec, rangeErr, err = fraction(value, k)
			value = value[k:]
		}
	case elemPM, elempm:
		if len(value) < 2 {
			return value, "", errBad
		}
		p := value[:2]
		value = value[2:]
		switch {
		case elem == elemPM && p == "PM", elem == elempm && p == "pm":
			f.pm = true
		case elem == elemPM && p == "AM", elem == elempm && p == "am":
			f.am = true
		default:
			err = errBad
		}
	case elemOffset:
		return f.parseOffset(value, n)
	case elemTZ:
		if has(value, "UTC") {
			f.utc = true
			return value[3:], "", nil
		}
		k, ok := zoneAbbr(value)
		if !ok {
			return value, "", errBad
		}
		f.zone, value = value[:k], value[k:]
	case elemFrac0:
		if len(value) < n+1 {
			return value, "", errBad
		}
		f.nsec, rangeErr, err = fraction(value, n+1)
		value = value[n+1:]
	case elemFrac9:
		if len(value) < 2 || !isPoint(value[0]) || !isDigit(value, 1) {
			break
		}
		k := 1
		for isDigit(value, k) {
			k++
		}
		f.nsec, rangeErr, err = fraction(value, k)
		value = value[k:]
	}
	return value, rangeErr, err
}

// check completes the date; the result is a message if it does not exist.
func (f *fields) check() string {
	if f.yday >= 0 {
		yday := f.yday
		var m Month
		var d int
		if isLeap(f.year) {
			if yday == 31+29 {
				m, d = February, 29
			} else if yday > 31+29 {
				yday--
			}
		}
		if yday < 1 || yday > 365 {
			return ": day-of-year out of range"
		}
		if m == 0 {
			m = Month((yday-1)/31 + 1)
			if daysBefore(m+1) < yday {
				m++
			}
			d = yday - daysBefore(m)
		}
		if f.month >= 0 && f.month != int(m) {
			return ": day-of-year does not match month"
		}
		f.month = int(m)
		if f.day >= 0 && f.day != d {
			return ": day-of-year does not match day"
		}
		f.day = d
	} else {
		if f.month < 0 {
			f.month = int(January)
		}
		if f.day < 0 {
			f.day = 1
		}
	}
	if f.day < 1 || f.day > daysIn(Month(f.month), f.year) {
		return ": day out of range"
	}
	return ""
}

// Parse returns the time that value shows in the layout. Without a zone it
// is UTC.
func Parse(layout, value string) (Time, error) {
	return parse(layout, value, UTC, Local)
}

// ParseInLocation is Parse with loc instead of UTC and of Local.
func ParseInLocation(layout, value string, loc *Location) (Time, error) {
	return parse(layout, value, loc, loc)
}

// two returns the number that s[i] and s[i+1] show, more than any of a date if
// they are not two digits.
func two(s string, i int) int {
	hi, lo := s[i]-'0', s[i+1]-'0'
	if hi > 9 || lo > 9 {
		return 1 << 20
	}
	return int(hi)*10 + int(lo)
}

// at returns t, in UTC so far, for the place where the clocks are ahead by the
// offset: the local one, if it has this offset, and zone if that is not "".
func (t Time) at(offset int, zone string, local *Location) Time {
	t.addSec(-int64(offset))
	name, have, _, _, _ := local.lookup(t.Unix())
	if have == offset && (zone == "" || name == zone) {
		t.setLoc(local)
	} else {
		t.setLoc(FixedZone(zone, offset))
	}
	return t
}

// parseRFC3339 parses what RFC 3339 allows; false: it is something else.
func parseRFC3339(s string, local *Location) (t Time, ok bool) {
	if len(s) < len("2006-01-02T15:04:05Z") || s[4] != '-' || s[7] != '-' ||
		s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return Time{}, false
	}
	year, month, day := two(s, 0)*100+two(s, 2), two(s, 5), two(s, 8)
	hour, min, sec := two(s, 11), two(s, 14), two(s, 17)
	if year > 9999 || month < 1 || month > 12 || day < 1 ||
		day > daysIn(Month(month), year) || hour > 23 || min > 59 || sec > 59 {
		return Time{}, false
	}
	nsec, unit := 0, 100000000
	s = s[19:]
	if s[0] == '.' {
		i := 1
		for ; isDigit(s, i); i++ {
			nsec += int(s[i]-'0') * unit
			unit /= 10
		}
		if i == 1 || i == len(s) {
			return Time{}, false
		}
		s = s[i:]
	}
	t = Date(year, Month(month), day, hour, min, sec, nsec, UTC)
	if s == "Z" {
		return t, true
	}
	if len(s) != len("+07:00") || s[3] != ':' || s[0] != '+' && s[0] != '-' ||
		two(s, 1) > 23 || two(s, 4) > 59 {
		return Time{}, false
	}
	offset := (two(s, 1)*60 + two(s, 4)) * 60
	if s[0] == '-' {
		offset = -offset
	}
	return t.at(offset, "", local), true
}

func parse(wholeLayout, whole string, without, local *Location) (Time, error) {
	if wholeLayout == RFC3339 || wholeLayout == RFC3339Nano {
		if t, ok := parseRFC3339(whole, local); ok {
			return t, nil
		}
	}
	return parseAny(wholeLayout, whole, without, local)
}

func parseAny(wholeLayout, whole string, without, local *Location) (Time, error) {
	fail := func(elem, value, message string) (Time, error) {
		return Time{}, &ParseError{wholeLayout, whole, elem, value, message}
	}
	f := fields{month: -1, day: -1, yday: -1, offset: -1}
	layout, value := wholeLayout, whole
	for {
		prefix, elem, n, rest := nextElem(layout)
		text := layout[len(prefix) : len(layout)-len(rest)]
		var err error
		if value, err = skip(value, prefix); err != nil {
			return fail(prefix, value, "")
		}
		if elem == elemNone {
			if value != "" {
				return fail("", value, ": extra text: "+quote(value))
			}
			break
		}
		hold := value
		var rangeErr string
		value, rangeErr, err = f.element(elem, n, value, rest)
		if rangeErr != "" {
			return fail(text, value, ": "+rangeErr+" out of range")
		}
		if err != nil {
			return fail(text, hold, "")
		}
		layout = rest
	}
	if f.pm && f.hour < 12 {
		f.hour += 12
	} else if f.am && f.hour == 12 {
		f.hour = 0
	}
	if msg := f.check(); msg != "" {
		return fail("", value, msg)
	}
	date := func(loc *Location) Time {
		return Date(f.year, Month(f.month), f.day, f.hour, f.min, f.sec,
			f.nsec, loc)
	}
	if f.utc {
		return date(UTC), nil
	}
	if f.offset != -1 {
		return date(UTC).at(f.offset, f.zone, local), nil
	}
	if f.zone != "" {
		t := date(UTC)
		offset, ok := local.lookupName(f.zone, t.Unix())
		if ok {
			t.addSec(-int64(offset))
			t.setLoc(local)
			return t, nil
		}
		if len(f.zone) > 3 && f.zone[:3] == "GMT" {
			offset, _ = number(f.zone[3:])
			offset *= 3600
		}
		// As in Go, the clock of an unknown zone is not moved, not even by
		// the offset behind GMT.
		t.setLoc(FixedZone(f.zone, offset))
		return t, nil
	}
	return date(without), nil
}
