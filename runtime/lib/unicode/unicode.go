// SPDX-License-Identifier: MIT

// Package unicode tells the properties of runes. The tables are C constants
// (lib_unicode_data.inc, made by gen_unicode.go); the *RangeTable variables
// are copies made when first initialised.
package unicode

const (
	MaxRune         = '\U0010FFFF' // the largest code point
	ReplacementChar = '\uFFFD'     // stands for an invalid code point
	MaxASCII        = '\u007F'
	MaxLatin1       = '\u00FF'
)

// Indices of a CaseRange's deltas.
const (
	UpperCase = iota
	LowerCase
	TitleCase
	MaxCase
)

// UpperLower as a delta says that upper and lower case alternate, the first
// being upper case.
const UpperLower = MaxRune + 1

// A RangeTable is a set of runes: two sorted lists of ranges that do not
// overlap. LatinOffset counts the R16 ranges with Hi <= MaxLatin1.
type RangeTable struct {
	R16         []Range16
	R32         []Range32
	LatinOffset int
}

// A Range16 is every Stride-th rune from Lo to Hi.
type Range16 struct {
	Lo     uint16
	Hi     uint16
	Stride uint16
}

// A Range32 is every Stride-th rune from Lo to Hi, for runes above 0xFFFF.
type Range32 struct {
	Lo     uint32
	Hi     uint32
	Stride uint32
}

// A CaseRange tells what to add to the runes from Lo to Hi for each case.
type CaseRange struct {
	Lo    uint32
	Hi    uint32
	Delta d
}

type d [MaxCase]rune

// A SpecialCase is case mapping rules of a language.
type SpecialCase []CaseRange

//race:none
func IsControl(r rune) bool

//race:none
func IsDigit(r rune) bool

//race:none
func IsGraphic(r rune) bool

//race:none
func IsLetter(r rune) bool

//race:none
func IsLower(r rune) bool

//race:none
func IsMark(r rune) bool

//race:none
func IsNumber(r rune) bool

//race:none
func IsPrint(r rune) bool

//race:none
func IsPunct(r rune) bool

//race:none
func IsSpace(r rune) bool

//race:none
func IsSymbol(r rune) bool

//race:none
func IsTitle(r rune) bool

//race:none
func IsUpper(r rune) bool

//race:none
func SimpleFold(r rune) rune

//race:none
func ToLower(r rune) rune

//race:none
func ToTitle(r rune) rune

//race:none
func ToUpper(r rune) rune

// inTable reports whether r is in the given ranges.
//
//race:constant
func inTable(r16 []Range16, r32 []Range32, r rune) bool

// rangeTable returns the ranges of table id, freshly allocated.
//
//race:none
func rangeTable(id int) (r16 []Range16, r32 []Range32, latin int)

// caseRanges returns the case table, freshly allocated.
//
//race:none
func caseRanges() []CaseRange

func table(id int) *RangeTable {
	r16, r32, latin := rangeTable(id)
	return &RangeTable{r16, r32, latin}
}

// Is reports whether r is in rangeTab.
func Is(rangeTab *RangeTable, r rune) bool {
	return inTable(rangeTab.R16, rangeTab.R32, r)
}

// In reports whether r is in one of ranges.
func In(r rune, ranges ...*RangeTable) bool {
	return IsOneOf(ranges, r)
}

// IsOneOf reports whether r is in one of ranges.
func IsOneOf(ranges []*RangeTable, r rune) bool {
	for _, t := range ranges {
		if inTable(t.R16, t.R32, r) {
			return true
		}
	}
	return false
}

// To maps r to the given case.
func To(_case int, r rune) rune {
	switch _case {
	case UpperCase:
		return ToUpper(r)
	case LowerCase:
		return ToLower(r)
	case TitleCase:
		return ToTitle(r)
	}
	return ReplacementChar
}

// to maps r by the rules of special; ok is false if they do not cover r.
func (special SpecialCase) to(_case int, r rune) (mapped rune, ok bool) {
	lo, hi := 0, len(special)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		c := &special[m]
		if uint32(r) < c.Lo {
			hi = m
		} else if uint32(r) > c.Hi {
			lo = m + 1
		} else if delta := c.Delta[_case]; delta > MaxRune {
			// Upper case at even distances, lower case at odd ones; title
			// case is upper case.
			odd := rune(_case & 1)
			return rune(c.Lo) + (r-rune(c.Lo))&^1 | odd, true
		} else {
			return r + delta, true
		}
	}
	return r, false
}

// ToUpper maps r to upper case, special's rules first.
func (special SpecialCase) ToUpper(r rune) rune {
	if m, ok := special.to(UpperCase, r); ok {
		return m
	}
	return ToUpper(r)
}

// ToTitle maps r to title case, special's rules first.
func (special SpecialCase) ToTitle(r rune) rune {
	if m, ok := special.to(TitleCase, r); ok {
		return m
	}
	return ToTitle(r)
}

// ToLower maps r to lower case, special's rules first.
func (special SpecialCase) ToLower(r rune) rune {
	if m, ok := special.to(LowerCase, r); ok {
		return m
	}
	return ToLower(r)
}

// CaseRanges is the mapping of all letters that have one.
var CaseRanges = caseRanges()

// TurkishCase is the case mapping of Turkish: dotted and dotless i.
var TurkishCase SpecialCase = SpecialCase{
	CaseRange{'I', 'I', d{0, 'ı' - 'I', 0}},
	CaseRange{'i', 'i', d{'İ' - 'i', 0, 'İ' - 'i'}},
	CaseRange{'İ', 'İ', d{0, 'i' - 'İ', 0}},
	CaseRange{'ı', 'ı', d{'I' - 'ı', 0, 'I' - 'ı'}},
}

// AzeriCase is the case mapping of Azeri, the same as Turkish.
var AzeriCase SpecialCase = TurkishCase
