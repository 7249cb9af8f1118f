// SPDX-License-Identifier: MIT

package time

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

// elemFor0 has what 0 and a digit from 1 to 6 stand for.
var elemFor0 = [...]int{elemZeroMonth, elemZeroDay, elemZeroHour12,
	elemZeroMinute, elemZeroSecond, elemYear}

// ahead reports whether a lower case letter is at s[i]: what is before it is
// the beginning of a word.
func ahead(s string, i int) bool {
	return i < len(s) && 'a' <= s[i] && s[i] <= 'z'
}

// offsetAt is elemAt for - and Z.
func offsetAt(s string) (elem, n, length int) {
	switch rest := s[1:]; {
	case !has(rest, "07"):
		return elemNone, 0, 0
	case has(rest, "07:00:00"):
		n, length = offMinutes|offSeconds|offColon, 9
	case has(rest, "070000"):
		n, length = offMinutes|offSeconds, 7
	case has(rest, "07:00"):
		n, length = offMinutes|offColon, 6
	case has(rest, "0700"):
		n, length = offMinutes, 5
	default:
		n, length = 0, 3
	}
	if s[0] == 'Z' {
		n |= offZ
	}
	return elemOffset, n, length
}

// fractionAt is elemAt for a point or comma, with zeros or nines behind it
// that are not before another digit.
func fractionAt(s string) (elem, n, length int) {
	if len(s) < 2 || s[1] != '0' && s[1] != '9' {
		return elemNone, 0, 0
	}
	i := 1
	for i < len(s) && s[i] == s[1] {
		i++
	}
	if isDigit(s, i) {
		return elemNone, 0, 0
	}
	if s[1] == '0' {
		return elemFrac0, i - 1, i
	}
	return elemFrac9, i - 1, i
}

// elemAt finds which element s begins with, its number of digits or form, and
// its length. What is longer is looked for first.
func elemAt(s string) (elem, n, length int) {
	switch s[0] {
	case 'J':
		if has(s, "January") {
			return elemLongMonth, 0, 7
		}
		if has(s, "Jan") && !ahead(s, 3) {
			return elemMonth, 0, 3
		}
	case 'M':
		if has(s, "Monday") {
			return elemLongWeekday, 0, 6
		}
		if has(s, "Mon") && !ahead(s, 3) {
			return elemWeekday, 0, 3
		}
		if has(s, "MST") {
			return elemTZ, 0, 3
		}
	case '0':
		if len(s) >= 2 && '1' <= s[1] && s[1] <= '6' {
			return elemFor0[s[1]-'1'], 0, 2
		}
		if has(s, "002") {
			return elemZeroYearDay, 0, 3
		}
	case '1':
		if has(s, "15") {
			return elemHour, 0, 2
		}
		return elemNumMonth, 0, 1
	case '2':
		if has(s, "2006") {
			return elemLongYear, 0, 4
		}
		return elemDay, 0, 1
	case '_':
		if has(s, "__2") {
			return elemUnderYearDay, 0, 3
		}
		// In _2006 the year is what counts.
		if has(s, "_2") && !has(s, "_2006") {
			return elemUnderDay, 0, 2
		}
	case '3':
		return elemHour12, 0, 1
	case '4':
		return elemMinute, 0, 1
	case '5':
		return elemSecond, 0, 1
	case 'P':
		if has(s, "PM") {
			return elemPM, 0, 2
		}
	case 'p':
		if has(s, "pm") {
			return elempm, 0, 2
		}
	case '-', 'Z':
		return offsetAt(s)
	case '.', ',':
		return fractionAt(s)
	}
	return elemNone, 0, 0
}

// nextElem finds the first element of a layout: the text before it, what it
// is with its number of digits or form, and the rest.
func nextElem(layout string) (prefix string, elem, n int, rest string) {
	for i := range len(layout) {
		elem, n, length := elemAt(layout[i:])
		if elem != elemNone {
			return layout[:i], elem, n, layout[i+length:]
		}
	}
	return layout, elemNone, 0, ""
}
