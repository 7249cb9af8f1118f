// SPDX-License-Identifier: MIT

// Package time measures and shows time.
package time

import "errors"

// A Time is an instant with nanosecond precision and a place to show it for.
//
// wall holds, from the top, a flag for a monotonic reading, 33 bits of
// seconds since 1885 and 30 bits of nanoseconds. With the flag ext is the
// monotonic reading in nanoseconds since the process began; without it the
// 33 bits are 0 and ext is the seconds since January 1 of year 1.
type Time struct {
	wall uint64
	ext  int64
	loc  *Location // nil is UTC
}

const (
	hasMonotonic = 1 << 63
	nsecMask     = 1<<30 - 1
	nsecShift    = 30

	secondsPerDay = 86400

	// Seconds from year 1 to 1885 and to 1970.
	wallToInternal int64 = (1884*365 + 1884/4 - 1884/100 + 1884/400) * secondsPerDay
	unixToInternal int64 = (1969*365 + 1969/4 - 1969/100 + 1969/400) * secondsPerDay
)

// now reads both clocks.
//
//race:none
func now() (sec int64, nsec int32, mono int64)

// monotonic reads the monotonic clock alone.
//
//race:none
func monotonic() int64

// inBubble reports whether time is that of a bubble (package
// internal/synctest): then there is no monotonic clock, and its readings are 0.
//
//race:none
func inBubble() bool

// start is where the monotonic readings in Times begin: about the start of
// the process, and never after a reading.
var start = monotonic() - 1

// Now returns the current time.
func Now() Time {
	sec, nsec, mono := now()
	if mono == 0 {
		return Time{uint64(nsec), sec + unixToInternal, Local} // in a bubble
	}
	mono -= start
	sec += unixToInternal - wallToInternal
	if uint64(sec)>>33 != 0 {
		// Before 1885 or after 2157.
		return Time{uint64(nsec), sec + wallToInternal, Local}
	}
	return Time{hasMonotonic | uint64(sec)<<nsecShift | uint64(nsec), mono, Local}
}

func (t *Time) nsec() int32 { return int32(t.wall & nsecMask) }

// sec returns the seconds since year 1.
func (t *Time) sec() int64 {
	if t.wall&hasMonotonic != 0 {
		return wallToInternal + int64(t.wall<<1>>(nsecShift+1))
	}
	return t.ext
}

// stripMono removes the monotonic reading.
func (t *Time) stripMono() {
	if t.wall&hasMonotonic != 0 {
		t.ext = t.sec()
		t.wall &= nsecMask
	}
}

func (t *Time) setLoc(loc *Location) {
	if loc == &utcLoc {
		loc = nil
	}
	t.stripMono()
	t.loc = loc
}

// addSec moves the wall clock by d seconds.
func (t *Time) addSec(d int64) {
	if t.wall&hasMonotonic != 0 {
		sec := int64(t.wall << 1 >> (nsecShift + 1))
		if sum := sec + d; 0 <= sum && sum < 1<<33 {
			t.wall = t.wall&nsecMask | uint64(sum)<<nsecShift | hasMonotonic
			return
		}
		t.stripMono()
	}
	sum := t.ext + d
	if (sum > t.ext) == (d > 0) {
		t.ext = sum
	} else if d > 0 {
		t.ext = 1<<63 - 1
	} else {
		t.ext = -(1<<63 - 1)
	}
}

func unixTime(sec int64, nsec int32) Time {
	return Time{uint64(nsec), sec + unixToInternal, Local}
}

// Unix returns the local time sec seconds and nsec nanoseconds after 1970.
func Unix(sec int64, nsec int64) Time {
	if nsec < 0 || nsec >= 1e9 {
		n := nsec / 1e9
		sec += n
		nsec -= n * 1e9
		if nsec < 0 {
			nsec += 1e9
			sec--
		}
	}
	return unixTime(sec, int32(nsec))
}

// UnixMilli returns the local time msec milliseconds after 1970.
func UnixMilli(msec int64) Time {
	return Unix(msec/1e3, (msec%1e3)*1e6)
}

// UnixMicro returns the local time usec microseconds after 1970.
func UnixMicro(usec int64) Time {
	return Unix(usec/1e6, (usec%1e6)*1e3)
}

// Since returns the time elapsed since t.
func Since(t Time) Duration {
	if t.wall&hasMonotonic != 0 {
		if mono := monotonic(); mono != 0 {
			return subMono(mono-start, t.ext)
		}
	}
	return Now().Sub(t)
}

// Until returns the time left until t.
func Until(t Time) Duration {
	if t.wall&hasMonotonic != 0 {
		if mono := monotonic(); mono != 0 {
			return subMono(t.ext, mono-start)
		}
	}
	return t.Sub(Now())
}

func subMono(t, u int64) Duration {
	d := Duration(t - u)
	if d < 0 && t > u {
		return maxDuration
	}
	if d > 0 && t < u {
		return minDuration
	}
	return d
}

// bothMono reports whether t and u compare by their monotonic readings.
func bothMono(t, u *Time) bool {
	return t.wall&u.wall&hasMonotonic != 0
}

// sides returns two numbers that are to each other as t is to u.
func sides(t, u *Time) (a, b int64) {
	if bothMono(t, u) {
		return t.ext, u.ext
	}
	a, b = t.sec(), u.sec()
	if a == b {
		a, b = int64(t.nsec()), int64(u.nsec())
	}
	return a, b
}

// Compare returns -1, 0 or +1 as t is before, at or after u.
func (t Time) Compare(u Time) int {
	a, b := sides(&t, &u)
	switch {
	case a < b:
		return -1
	case a > b:
		return +1
	}
	return 0
}

// After reports whether t is after u.
func (t Time) After(u Time) bool {
	a, b := sides(&t, &u)
	return a > b
}

// Before reports whether t is before u.
func (t Time) Before(u Time) bool {
	a, b := sides(&t, &u)
	return a < b
}

// Equal reports whether t and u are the same instant.
func (t Time) Equal(u Time) bool {
	a, b := sides(&t, &u)
	return a == b
}

// IsZero reports whether t is January 1, year 1, 00:00:00 UTC.
func (t Time) IsZero() bool { return t.sec() == 0 && t.nsec() == 0 }

// Add returns t + d.
func (t Time) Add(d Duration) Time {
	sec := int64(d / 1e9)
	nsec := t.nsec() + int32(d%1e9)
	if nsec >= 1e9 {
		sec++
		nsec -= 1e9
	} else if nsec < 0 {
		sec--
		nsec += 1e9
	}
	t.wall = t.wall&^nsecMask | uint64(nsec)
	t.addSec(sec)
	if t.wall&hasMonotonic != 0 {
		ext := t.ext + int64(d)
		if d < 0 && ext > t.ext || d > 0 && ext < t.ext {
			t.stripMono()
		} else {
			t.ext = ext
		}
	}
	return t
}

// Sub returns t - u, or the nearest Duration there is.
func (t Time) Sub(u Time) Duration {
	if bothMono(&t, &u) {
		return subMono(t.ext, u.ext)
	}
	sec := t.sec() - u.sec()
	d := Duration(sec)*Second + Duration(t.nsec()-u.nsec())
	if -1<<33 < sec && sec < 1<<33 && -1<<62 < t.ext && t.ext < 1<<62 {
		return d // neither the one difference nor the other is too large
	}
	switch {
	case u.Add(d).Equal(t):
		return d
	case t.Before(u):
		return minDuration
	}
	return maxDuration
}

// AddDate adds years, months and days in the calendar.
func (t Time) AddDate(years int, months int, days int) Time {
	year, month, day := t.Date()
	hour, min, sec := t.Clock()
	return Date(year+years, month+Month(months), day+days, hour, min, sec,
		int(t.nsec()), t.Location())
}

// UTC returns t for UTC.
func (t Time) UTC() Time {
	t.setLoc(&utcLoc)
	return t
}

// Local returns t for the local time zone.
func (t Time) Local() Time {
	t.setLoc(Local)
	return t
}

// In returns t for loc.
func (t Time) In(loc *Location) Time {
	if loc == nil {
		panic("time: missing Location in call to Time.In")
	}
	t.setLoc(loc)
	return t
}

// Location returns t's time zone.
func (t Time) Location() *Location {
	if t.loc == nil {
		return UTC
	}
	return t.loc
}

// Zone returns the zone in use at t and its offset in seconds east of UTC.
func (t Time) Zone() (name string, offset int) {
	name, offset, _, _, _ = t.loc.lookup(t.Unix())
	return name, offset
}

// ZoneBounds returns when the zone in use at t begins and ends; the zero
// Time for never.
func (t Time) ZoneBounds() (start, end Time) {
	_, _, from, to, _ := t.loc.lookup(t.Unix())
	if from != alpha {
		start = unixTime(from, 0)
		start.setLoc(t.loc)
	}
	if to != omega {
		end = unixTime(to, 0)
		end.setLoc(t.loc)
	}
	return start, end
}

// IsDST reports whether daylight saving time is in use at t.
func (t Time) IsDST() bool {
	_, _, _, _, dst := t.loc.lookup(t.Unix())
	return dst
}

// Unix returns the seconds since 1970.
func (t Time) Unix() int64 { return t.sec() - unixToInternal }

// UnixMilli returns the milliseconds since 1970.
func (t Time) UnixMilli() int64 { return t.Unix()*1e3 + int64(t.nsec())/1e6 }

// UnixMicro returns the microseconds since 1970.
func (t Time) UnixMicro() int64 { return t.Unix()*1e6 + int64(t.nsec())/1e3 }

// UnixNano returns the nanoseconds since 1970, if they fit.
func (t Time) UnixNano() int64 { return t.Unix()*1e9 + int64(t.nsec()) }

// div divides the instant by d: whether the quotient is odd, and the
// remainder, which is not negative.
func div(t Time, d Duration) (odd bool, r Duration) {
	sec, nsec := t.sec(), uint64(t.nsec())
	if d%Second == 0 && sec >= 0 {
		s := int64(d / Second)
		return sec/s&1 != 0, Duration(sec%s)*Second + Duration(nsec)
	}
	neg := sec < 0
	if neg {
		sec = -sec
		if nsec != 0 {
			nsec = 1e9 - nsec
			sec--
		}
	}
	// sec * 1e9 + nsec in 128 bits, by parts of 32.
	lo := uint64(sec) & 0xffffffff * 1e9
	hi := uint64(sec) >> 32 * 1e9
	hi, lo = hi+lo>>32, lo&0xffffffff
	low := hi<<32 | lo
	high := hi >> 32
	low += nsec
	if low < nsec {
		high++
	}
	// Long division, bit by bit: the quotient's last bit and the rest.
	m := uint64(d)
	rem := high % m
	for i := 63; i >= 0; i-- {
		top := rem >> 63
		rem = rem<<1 | low>>uint(i)&1
		odd = top != 0 || rem >= m
		if odd {
			rem -= m
		}
	}
	r = Duration(rem)
	if neg && r != 0 {
		odd = !odd
		r = d - r
	}
	return odd, r
}

// Truncate rounds t down to a multiple of d since year 1, and removes the
// monotonic reading.
func (t Time) Truncate(d Duration) Time {
	t.stripMono()
	if d <= 0 {
		return t
	}
	_, r := div(t, d)
	return t.Add(-r)
}

// Round rounds t to the nearest multiple of d since year 1, halves up, and
// removes the monotonic reading.
func (t Time) Round(d Duration) Time {
	t.stripMono()
	if d <= 0 {
		return t
	}
	_, r := div(t, d)
	if lessThanHalf(r, d) {
		return t.Add(-r)
	}
	return t.Add(d - r)
}

const binaryVersion = 1

// AppendBinary appends the form of MarshalBinary to b.
func (t Time) AppendBinary(b []byte) ([]byte, error) {
	offset := int16(-1) // minutes; -1 is UTC
	var seconds int8    // the rest of an odd offset, in version 2
	version := byte(binaryVersion)
	if t.Location() != UTC {
		_, off := t.Zone()
		if off%60 != 0 {
			version = 2
			seconds = int8(off % 60)
		}
		off /= 60
		if off < -32768 || off == -1 || off > 32767 {
			return b, errors.New("Time.MarshalBinary: unexpected zone offset")
		}
		offset = int16(off)
	}
	sec, nsec := t.sec(), t.nsec()
	b = append(b, version)
	for i := 56; i >= 0; i -= 8 {
		b = append(b, byte(sec>>uint(i)))
	}
	b = append(b, byte(nsec>>24), byte(nsec>>16), byte(nsec>>8), byte(nsec),
		byte(offset>>8), byte(offset))
	if version == 2 {
		b = append(b, byte(seconds))
	}
	return b, nil
}

// MarshalBinary implements encoding.BinaryMarshaler.
func (t Time) MarshalBinary() ([]byte, error) {
	b, err := t.AppendBinary(make([]byte, 0, 16))
	if err != nil {
		return nil, err
	}
	return b, nil
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (t *Time) UnmarshalBinary(data []byte) error {
	if len(data) == 0 {
		return errors.New("Time.UnmarshalBinary: no data")
	}
	version := data[0]
	if version != 1 && version != 2 {
		return errors.New("Time.UnmarshalBinary: unsupported version")
	}
	if len(data) != 14+int(version) {
		return errors.New("Time.UnmarshalBinary: invalid length")
	}
	var sec int64
	for _, c := range data[1:9] {
		sec = sec<<8 | int64(c)
	}
	var nsec int32
	for _, c := range data[9:13] {
		nsec = nsec<<8 | int32(c)
	}
	offset := int(int16(data[13])<<8|int16(data[14])) * 60
	if version == 2 {
		offset += int(data[15]) // as Go reads it: not signed
	}
	*t = Time{wall: uint64(nsec), ext: sec}
	if offset == -60 {
		t.setLoc(&utcLoc)
	} else if _, local, _, _, _ := Local.lookup(t.Unix()); offset == local {
		t.setLoc(Local)
	} else {
		t.setLoc(FixedZone("", offset))
	}
	return nil
}

// GobEncode implements gob.GobEncoder.
func (t Time) GobEncode() ([]byte, error) { return t.MarshalBinary() }

// GobDecode implements gob.GobDecoder.
func (t *Time) GobDecode(data []byte) error { return t.UnmarshalBinary(data) }

// appendStrict appends t in RFC 3339 form if it has one.
func (t Time) appendStrict(b []byte) ([]byte, error) {
	n := len(b)
	b = t.AppendFormat(b, RFC3339Nano)
	if b[n+4] != '-' {
		return b, errors.New("year outside of range [0,9999]")
	}
	if b[len(b)-1] != 'Z' {
		c := b[len(b)-6]
		if '0' <= c && c <= '9' || b[len(b)-5] > '2' ||
			b[len(b)-5] == '2' && b[len(b)-4] > '3' {
			return b, errors.New("timezone hour outside of range [0,23]")
		}
	}
	return b, nil
}

// MarshalJSON implements json.Marshaler: a quoted RFC 3339 string.
func (t Time) MarshalJSON() ([]byte, error) {
	b, err := t.appendStrict(append(make([]byte, 0, 40), '"'))
	if err != nil {
		return nil, errors.New("Time.MarshalJSON: " + err.Error())
	}
	return append(b, '"'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if len(data) < 2 || data[0] != '"' || data[len(data)-1] != '"' {
		return errors.New("Time.UnmarshalJSON: input is not a JSON string")
	}
	var err error
	*t, err = Parse(RFC3339, string(data[1:len(data)-1]))
	return err
}

// AppendText appends t in RFC 3339 form.
func (t Time) AppendText(b []byte) ([]byte, error) {
	b, err := t.appendStrict(b)
	if err != nil {
		return nil, errors.New("Time.AppendText: " + err.Error())
	}
	return b, nil
}

// MarshalText implements encoding.TextMarshaler.
func (t Time) MarshalText() ([]byte, error) {
	b, err := t.appendStrict(make([]byte, 0, 40))
	if err != nil {
		return nil, errors.New("Time.MarshalText: " + err.Error())
	}
	return b, nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Time) UnmarshalText(data []byte) error {
	var err error
	*t, err = Parse(RFC3339, string(data))
	return err
}
