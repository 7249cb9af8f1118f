// SPDX-License-Identifier: MIT

package time

// A Month is a month of the year, January = 1.
type Month int

const (
	January Month = 1 + iota
	February
	March
	April
	May
	June
	July
	August
	September
	October
	November
	December
)

func monthName(m Month) string {
	switch m {
	case January:
		return "January"
	case February:
		return "February"
	case March:
		return "March"
	case April:
		return "April"
	case May:
		return "May"
	case June:
		return "June"
	case July:
		return "July"
	case August:
		return "August"
	case September:
		return "September"
	case October:
		return "October"
	case November:
		return "November"
	case December:
		return "December"
	}
	return ""
}

// String returns the English name.
func (m Month) String() string {
	if s := monthName(m); s != "" {
		return s
	}
	return "%!Month(" + string(appendUint(nil, uint64(m), 0)) + ")"
}

// A Weekday is a day of the week, Sunday = 0.
type Weekday int

const (
	Sunday Weekday = iota
	Monday
	Tuesday
	Wednesday
	Thursday
	Friday
	Saturday
)

func dayName(d Weekday) string {
	switch d {
	case Sunday:
		return "Sunday"
	case Monday:
		return "Monday"
	case Tuesday:
		return "Tuesday"
	case Wednesday:
		return "Wednesday"
	case Thursday:
		return "Thursday"
	case Friday:
		return "Friday"
	case Saturday:
		return "Saturday"
	}
	return ""
}

// String returns the English name.
func (d Weekday) String() string {
	if s := dayName(d); s != "" {
		return s
	}
	return "%!Weekday(" + string(appendUint(nil, uint64(d), 0)) + ")"
}

func isLeap(year int) bool {
	return year%4 == 0 && (year%100 != 0 || year%400 == 0)
}

// daysBefore returns the days of a common year before month m (13: all).
func daysBefore(m Month) int {
	if m <= February {
		return 31 * int(m-1)
	}
	// From March on the lengths repeat in five months of 153 days.
	return (153*int(m-3)+2)/5 + 59
}

func daysIn(m Month, year int) int {
	if m == February && isLeap(year) {
		return 29
	}
	return daysBefore(m+1) - daysBefore(m)
}

// fdiv returns x / n rounded down, and the rest.
func fdiv(x, n int64) (q, r int64) {
	q, r = x/n, x%n
	if r < 0 {
		q--
		r += n
	}
	return q, r
}

// daysTo returns the days from January 1 of year 1 to that of the year.
func daysTo(year int64) int64 {
	era, y := fdiv(year-1, 400)
	return era*146097 + y*365 + y/4 - y/100
}

// civil turns days since January 1 of year 1 into a date and the day of the
// year from 0. It counts from March 1, so that February 29 comes last (the
// method of Howard Hinnant's date algorithms).
func civil(days int64) (year int, month Month, day, yday int) {
	era, d := fdiv(days+306, 146097)
	y := (d - d/1460 + d/36524 - d/146096) / 365
	doy := d - (365*y + y/4 - y/100)
	m := (5*doy + 2) / 153
	day = int(doy-(153*m+2)/5) + 1
	y += era * 400
	if m < 10 {
		month = Month(m + 3)
		yday = int(doy) + 59
		if isLeap(int(y)) {
			yday++
		}
	} else {
		month = Month(m - 9)
		y++
		yday = int(doy) - 306
	}
	return int(y), month, day, yday
}

// eraStart is the number of days from March 1 of year -292277022400 to January
// 1 of year 1.
const eraStart = 292277022400/400*146097 + 306

// marchDays counts the days from eraStart's March 1 to a date, whose day need
// not be one of the month. The numbers of years beyond the times that there
// are wrap around where Go's do.
func marchDays(year int64, month uint32, day int) uint64 {
	y := uint64(year) + 292277022400
	if month < 3 {
		y--
		month += 12
	}
	inCentury := 1461 * uint32(y%100) / 4
	inYear := (153*month - 457) / 5
	return 146097*(y/100)/4 + uint64(int64(inCentury+inYear)+int64(day)-1)
}

// splitDays turns seconds since year 1 into days and a rest of less than one.
// All numbers count from eraStart on: the last times that 64 bits hold since
// 1970 have none since year 1, and still show their date.
func splitDays(sec int64) (days, rest int64) {
	abs := uint64(sec) + eraStart*secondsPerDay
	return int64(abs/secondsPerDay) - eraStart, int64(abs % secondsPerDay)
}

// local returns the seconds since year 1 on the clock at t's place.
func (t *Time) local() int64 {
	sec := t.sec()
	if t.loc != nil {
		_, offset, _, _, _ := t.loc.lookup(sec - unixToInternal)
		sec += int64(offset)
	}
	return sec
}

func (t *Time) days() int64 {
	d, _ := splitDays(t.local())
	return d
}

// Date returns the date at t's place.
func (t Time) Date() (year int, month Month, day int) {
	year, month, day, _ = civil(t.days())
	return year, month, day
}

// Year returns the year at t's place.
func (t Time) Year() int {
	year, _, _, _ := civil(t.days())
	return year
}

// Month returns the month at t's place.
func (t Time) Month() Month {
	_, month, _, _ := civil(t.days())
	return month
}

// Day returns the day of the month at t's place.
func (t Time) Day() int {
	_, _, day, _ := civil(t.days())
	return day
}

// YearDay returns the day of the year at t's place, from 1.
func (t Time) YearDay() int {
	_, _, _, yday := civil(t.days())
	return yday + 1
}

func weekday(days int64) Weekday {
	_, d := fdiv(days+1, 7) // January 1 of year 1 was a Monday
	return Weekday(d)
}

// Weekday returns the day of the week at t's place.
func (t Time) Weekday() Weekday { return weekday(t.days()) }

// ISOWeek returns the ISO 8601 year and week number.
func (t Time) ISOWeek() (year, week int) {
	// The week belongs to the year of its Thursday.
	d := t.days()
	_, w := fdiv(d, 7)
	year, _, _, yday := civil(d - w + 3)
	return year, yday/7 + 1
}

func clock(sec int64) (hour, min, s int) {
	_, r := splitDays(sec)
	return int(r / 3600), int(r % 3600 / 60), int(r % 60)
}

// Clock returns the time of the day at t's place.
func (t Time) Clock() (hour, min, sec int) { return clock(t.local()) }

// Hour returns the hour at t's place, from 0 to 23.
func (t Time) Hour() int {
	h, _, _ := clock(t.local())
	return h
}

// Minute returns the minute of the hour at t's place.
func (t Time) Minute() int {
	_, m, _ := clock(t.local())
	return m
}

// Second returns the second of the minute.
func (t Time) Second() int {
	_, _, s := clock(t.local())
	return s
}

// Nanosecond returns the nanosecond of the second.
func (t Time) Nanosecond() int { return int(t.nsec()) }

// carry moves what lo has beyond [0, base) to hi.
func carry(hi, lo, base int) (int, int) {
	if 0 <= lo && lo < base {
		return hi, lo
	}
	q, r := fdiv(int64(lo), int64(base))
	return hi + int(q), int(r)
}

// Date returns the Time of a date and time of day at loc. Values out of
// range carry over. A time that a change of clocks skips or repeats gives one
// of the two that are possible.
func Date(year int, month Month, day, hour, min, sec, nsec int, loc *Location) Time {
	if loc == nil {
		panic("time: missing Location in call to Date")
	}
	year, m := carry(year, int(month)-1, 12)
	sec, nsec = carry(sec, nsec, 1e9)
	min, sec = carry(min, sec, 60)
	hour, min = carry(hour, min, 60)
	day, hour = carry(day, hour, 24)
	unix := int64(marchDays(int64(year), uint32(m+1), day))*secondsPerDay +
		int64(hour*3600+min*60+sec) - eraStart*secondsPerDay - unixToInternal
	if loc != &utcLoc {
		// Look up the offset as if this were UTC, and again if the zone
		// found is not the one in use at the result.
		_, offset, start, end, _ := loc.lookup(unix)
		if offset != 0 {
			if utc := unix - int64(offset); utc < start || utc >= end {
				_, offset, _, _, _ = loc.lookup(utc)
			}
			unix -= int64(offset)
		}
	}
	t := unixTime(unix, int32(nsec))
	t.setLoc(loc)
	return t
}
