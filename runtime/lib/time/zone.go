// SPDX-License-Identifier: MIT

package time

import (
	"errors"
	"sync"
)

// The ends of time in Unix seconds.
const (
	alpha = -1 << 63
	omega = 1<<63 - 1
)

// A Location is the zones in use in a place over time.
type Location struct {
	name   string
	zones  []zone
	trans  []transition
	extend string // the rule after the last transition, as in POSIX TZ
}

type zone struct {
	name   string
	offset int // seconds east of UTC
	isDST  bool
}

// A transition is the moment from which on a zone is in use.
type transition struct {
	when  int64 // Unix seconds
	index uint8 // in zones
}

var utcLoc = Location{name: "UTC"}

// UTC is Universal Coordinated Time.
var UTC *Location = &utcLoc

var localLoc Location
var localOnce sync.Once

// Local is the time zone of the system.
var Local *Location = &localLoc

// readFile reads a whole file; getenv reads the environment.
//race:none
func readFile(path string) (data string, ok bool)
//race:none
func getenv(name string) (value string, ok bool)

func (l *Location) get() *Location {
	if l == nil {
		return &utcLoc
	}
	if l == &localLoc {
		localOnce.Do(initLocal)
	}
	return l
}

func initLocal() {
	name, set := getenv("TZ")
	switch {
	case !set:
		if data, ok := readFile("/etc/localtime"); ok {
			if l, err := LoadLocationFromTZData("Local", []byte(data)); err == nil {
				localLoc = *l
				return
			}
		}
	case name != "":
		if name[0] == ':' {
			name = name[1:]
		}
		if name != "" && name[0] == '/' {
			if data, ok := readFile(name); ok {
				if l, err := LoadLocationFromTZData(name, []byte(data)); err == nil {
					localLoc = *l
					if name == "/etc/localtime" {
						localLoc.name = "Local"
					}
					return
				}
			}
		} else if name != "" && name != "UTC" {
			if l, err := loadZone(name); err == nil {
				localLoc = *l
				return
			}
		}
	}
	localLoc.name = "UTC"
}

// String returns the name of the place.
func (l *Location) String() string { return l.get().name }

// FixedZone returns a Location with one zone, offset seconds east of UTC.
func FixedZone(name string, offset int) *Location {
	return &Location{
		name:  name,
		zones: []zone{{name, offset, false}},
		trans: []transition{{alpha, 0}},
	}
}

// lookup returns the zone in use at sec, and from when to when it is.
func (l *Location) lookup(sec int64) (name string, offset int, start, end int64, isDST bool) {
	l = l.get()
	start, end = alpha, omega
	if len(l.zones) == 0 {
		return "UTC", 0, start, end, false
	}
	if len(l.trans) == 0 || sec < l.trans[0].when {
		z := l.first()
		if len(l.trans) > 0 {
			end = l.trans[0].when
		}
		return z.name, z.offset, start, end, z.isDST
	}
	lo, hi := 0, len(l.trans)
	for hi-lo > 1 {
		m := int(uint(lo+hi) >> 1)
		if sec < l.trans[m].when {
			end = l.trans[m].when
			hi = m
		} else {
			lo = m
		}
	}
	z := &l.zones[l.trans[lo].index]
	start = l.trans[lo].when
	if lo == len(l.trans)-1 && l.extend != "" {
		if n, o, s, e, d, ok := applyRule(l.extend, start, sec); ok {
			return n, o, s, e, d
		}
	}
	return z.name, z.offset, start, end, z.isDST
}

// first returns the zone before the first transition: the first standard one
// unless zone 0 is not otherwise used.
func (l *Location) first() *zone {
	used := false
	for _, t := range l.trans {
		if t.index == 0 {
			used = true
		}
	}
	if !used {
		return &l.zones[0]
	}
	if len(l.trans) > 0 && l.zones[l.trans[0].index].isDST {
		for i := int(l.trans[0].index) - 1; i >= 0; i-- {
			if !l.zones[i].isDST {
				return &l.zones[i]
			}
		}
	}
	for i := range l.zones {
		if !l.zones[i].isDST {
			return &l.zones[i]
		}
	}
	return &l.zones[0]
}

// lookupName returns the offset of the zone with the name, preferring one in
// use at unix.
func (l *Location) lookupName(name string, unix int64) (offset int, ok bool) {
	l = l.get()
	for i := range l.zones {
		z := &l.zones[i]
		if z.name == name {
			n, o, _, _, _ := l.lookup(unix - int64(z.offset))
			if n == z.name {
				return o, true
			}
		}
	}
	for i := range l.zones {
		if l.zones[i].name == name {
			return l.zones[i].offset, true
		}
	}
	return 0, false
}

// LoadLocation returns the Location with an IANA name, from the system's
// time zone database; "" is UTC, "Local" is Local.
func LoadLocation(name string) (*Location, error) {
	if name == "" || name == "UTC" {
		return UTC, nil
	}
	if name == "Local" {
		return Local, nil
	}
	bad := name[0] == '/' || name[0] == '\\'
	for i := 0; i < len(name); i++ {
		if name[i] == '.' && i > 0 && name[i-1] == '.' {
			bad = true
		}
	}
	if bad {
		return nil, errors.New("time: invalid location name")
	}
	return loadZone(name)
}

// embedded is the database that package time/tzdata brings with it.
var embedded func(name string) (string, error)

// registerLoadFromEmbeddedTZData is called by package time/tzdata.
func registerLoadFromEmbeddedTZData(f func(name string) (string, error)) { embedded = f }

func loadZone(name string) (*Location, error) {
	dirs := []string{"/usr/share/zoneinfo/", "/usr/share/lib/zoneinfo/",
		"/usr/lib/locale/TZ/", "/etc/zoneinfo/"}
	if dir, ok := getenv("ZONEINFO"); ok && dir != "" {
		dirs = append([]string{dir + "/"}, dirs...)
	}
	var firstErr error
	for _, dir := range dirs {
		data, ok := readFile(dir + name)
		if !ok {
			continue
		}
		l, err := LoadLocationFromTZData(name, []byte(data))
		if err == nil {
			return l, nil
		}
		if firstErr == nil {
			firstErr = err
		}
	}
	if firstErr == nil && embedded != nil {
		if data, err := embedded(name); err == nil {
			return LoadLocationFromTZData(name, []byte(data))
		}
	}
	if firstErr != nil {
		return nil, firstErr
	}
	return nil, errors.New("unknown time zone " + name)
}

var errBadData = errors.New("malformed time zone information")

// A tzReader takes big-endian numbers from a TZif file.
type tzReader struct {
	b   []byte
	bad bool
}

func (r *tzReader) take(n int) []byte {
	if n < 0 || len(r.b) < n {
		r.bad = true
		return make([]byte, max(n&0xffff, 8))
	}
	p := r.b[:n]
	r.b = r.b[n:]
	return p
}

func (r *tzReader) num(size int) int64 {
	var v int64
	for i, c := range r.take(size) {
		if i == 0 {
			v = int64(int8(c))
		} else {
			v = v<<8 | int64(c)
		}
	}
	return v
}

// LoadLocationFromTZData returns a Location from the contents of a file of
// the time zone database (TZif, RFC 8536).
func LoadLocationFromTZData(name string, data []byte) (*Location, error) {
	r := &tzReader{b: data}
	var n [6]int64 // UT flags, std flags, leaps, times, types, name bytes
	size := 4      // of a time
	for pass := 1; ; pass++ {
		if string(r.take(4)) != "TZif" {
			return nil, errBadData
		}
		version := r.take(16)[0]
		if version != 0 && version != '2' && version != '3' {
			return nil, errBadData
		}
		for i := range n {
			n[i] = r.num(4)
			if n[i] < 0 {
				return nil, errBadData
			}
		}
		if version == 0 || pass == 2 {
			break
		}
		// The second block has the same with 8-byte times.
		r.take(int(n[3]*5 + n[4]*6 + n[5] + n[2]*8 + n[1] + n[0]))
		size = 8
	}
	times := &tzReader{b: r.take(int(n[3]) * size)}
	index := r.take(int(n[3]))
	types := &tzReader{b: r.take(int(n[4]) * 6)}
	names := string(r.take(int(n[5])))
	r.take(int(n[2])*(size+4) + int(n[1]) + int(n[0]))
	if r.bad || n[4] == 0 {
		return nil, errBadData
	}
	l := &Location{name: name}
	if size == 8 && len(r.b) > 2 && r.b[0] == '\n' && r.b[len(r.b)-1] == '\n' {
		l.extend = string(r.b[1 : len(r.b)-1])
	}
	for i := int64(0); i < n[4]; i++ {
		offset := types.num(4)
		isDST := types.num(1) != 0
		at := int(uint8(types.num(1)))
		if at >= len(names) {
			return nil, errBadData
		}
		end := at
		for end < len(names) && names[end] != 0 {
			end++
		}
		l.zones = append(l.zones, zone{names[at:end], int(offset), isDST})
	}
	for i := range index {
		if int(index[i]) >= len(l.zones) {
			return nil, errBadData
		}
		l.trans = append(l.trans, transition{times.num(size), index[i]})
	}
	if len(l.trans) == 0 {
		l.trans = append(l.trans, transition{alpha, 0})
	}
	return l, nil
}

// applyRule evaluates a POSIX TZ rule, "CET-1CEST,M3.5.0,M10.5.0/3", at sec;
// start is when it comes into force.
func applyRule(rule string, from, sec int64) (name string, offset int, start, end int64, isDST, ok bool) {
	std, rule, ok1 := ruleName(rule)
	stdOff, rule, ok2 := ruleOffset(rule)
	if !ok1 || !ok2 {
		return
	}
	stdOff = -stdOff
	if rule == "" || rule[0] == ',' {
		return std, stdOff, from, omega, false, true
	}
	dst, rule, ok1 := ruleName(rule)
	if !ok1 {
		return
	}
	dstOff := stdOff + 3600
	if rule != "" && rule[0] != ',' {
		if dstOff, rule, ok2 = ruleOffset(rule); !ok2 {
			return
		}
		dstOff = -dstOff
	}
	if rule == "" {
		rule = ",M3.2.0,M11.1.0"
	}
	if rule[0] != ',' && rule[0] != ';' {
		return
	}
	first, rule, ok1 := ruleDay(rule[1:])
	if !ok1 || rule == "" || rule[0] != ',' {
		return
	}
	last, rule, ok1 := ruleDay(rule[1:])
	if !ok1 || rule != "" {
		return
	}
	days, _ := splitDays(sec+unixToInternal)
	year, _, _, _ := civil(days)
	yearStart := daysTo(int64(year))*secondsPerDay - unixToInternal
	in := sec - yearStart
	on := int64(first.second(year) - stdOff)
	off := int64(last.second(year) - dstOff)
	// In the south daylight saving time spans the end of the year.
	inName, inOff, outName, outOff := dst, dstOff, std, stdOff
	inDST, outDST := true, false
	if off < on {
		on, off = off, on
		inName, outName = outName, inName
		inOff, outOff = outOff, inOff
		inDST, outDST = outDST, inDST
	}
	const length = 365 * secondsPerDay
	// A period that reaches past the year ends with it here (as in Go, after
	// 365 days).
	if in < on {
		return outName, outOff, yearStart, yearStart + on, outDST, true
	}
	if in >= off {
		return outName, outOff, yearStart + off, yearStart + length, outDST, true
	}
	return inName, inOff, yearStart + on, yearStart + off, inDST, true
}

// ruleName takes a zone's name from the front.
func ruleName(s string) (name, rest string, ok bool) {
	if s == "" {
		return "", "", false
	}
	if s[0] == '<' {
		for i := 1; i < len(s); i++ {
			if s[i] == '>' {
				return s[1:i], s[i+1:], true
			}
		}
		return "", "", false
	}
	i := 0
	for i < len(s) && !isDigit(s, i) && s[i] != ',' && s[i] != '-' && s[i] != '+' {
		i++
	}
	return s[:i], s[i:], i >= 3
}

// ruleNum takes a number between lo and hi from the front.
func ruleNum(s string, lo, hi int) (v int, rest string, ok bool) {
	i := 0
	for i < len(s) && isDigit(s, i) {
		v = v*10 + int(s[i]-'0')
		if v > hi {
			return 0, "", false
		}
		i++
	}
	return v, s[i:], i > 0 && v >= lo
}

// ruleOffset takes [+-]h[:m[:s]] from the front, in seconds.
func ruleOffset(s string) (offset int, rest string, ok bool) {
	neg := false
	if s != "" && (s[0] == '+' || s[0] == '-') {
		neg = s[0] == '-'
		s = s[1:]
	}
	offset, s, ok = ruleNum(s, 0, 24*7)
	offset *= 3600
	for unit := 60; ok && unit > 0 && s != "" && s[0] == ':'; unit /= 60 {
		var v int
		v, s, ok = ruleNum(s[1:], 0, 59)
		offset += v * unit
	}
	if neg {
		offset = -offset
	}
	return offset, s, ok
}

// A ruleDate is a day of the year in one of three forms, and a time.
type ruleDate struct {
	kind           byte // 'J': 1 to 365 without February 29; 'D': 0 to 365; 'M'
	day, week, mon int
	time           int
}

func ruleDay(s string) (d ruleDate, rest string, ok bool) {
	if s == "" {
		return
	}
	switch {
	case s[0] == 'J':
		d.kind = 'J'
		d.day, s, ok = ruleNum(s[1:], 1, 365)
	case s[0] == 'M':
		d.kind = 'M'
		if d.mon, s, ok = ruleNum(s[1:], 1, 12); !ok || s == "" || s[0] != '.' {
			return d, "", false
		}
		if d.week, s, ok = ruleNum(s[1:], 1, 5); !ok || s == "" || s[0] != '.' {
			return d, "", false
		}
		d.day, s, ok = ruleNum(s[1:], 0, 6)
	default:
		d.kind = 'D'
		d.day, s, ok = ruleNum(s, 0, 365)
	}
	d.time = 2 * 3600
	if ok && s != "" && s[0] == '/' {
		d.time, s, ok = ruleOffset(s[1:])
	}
	return d, s, ok
}

// second returns the second of the year on the local clock.
func (d ruleDate) second(year int) int {
	day := d.day
	switch d.kind {
	case 'J':
		day--
		if isLeap(year) && d.day >= 60 {
			day++
		}
	case 'M':
		first := daysBefore(Month(d.mon))
		if d.mon > 2 && isLeap(year) {
			first++
		}
		wd := int(weekday(daysTo(int64(year)) + int64(first)))
		day = d.day - wd
		if day < 0 {
			day += 7
		}
		for i := 1; i < d.week && day+7 < daysIn(Month(d.mon), year); i++ {
			day += 7
		}
		day += first
	}
	return day*secondsPerDay + d.time
}
