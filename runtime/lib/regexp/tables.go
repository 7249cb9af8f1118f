// SPDX-License-Identifier: MIT

// Made by mkunicode.go.

package regexp

// tableNumber is the number of a table of package unicode by its name in lower
// case, without separators.
func tableNumber(name string) (id int, ok bool) {
	switch name {
	case "c", "other":
		return 0, true
	case "cc", "cntrl", "control":
		return 1, true
	case "cf", "format":
		return 2, true
	case "cn", "unassigned":
		return 3, true
	case "co", "privateuse":
		return 4, true
	case "cs", "surrogate":
		return 5, true
	case "l", "letter":
		return 6, true
	case "casedletter", "lc":
		return 7, true
	case "ll", "lowercaseletter":
		return 8, true
	case "lm", "modifierletter":
		return 9, true
	case "lo", "otherletter":
		return 10, true
	case "lt", "titlecaseletter":
		return 11, true
	case "lu", "uppercaseletter":
		return 12, true
	case "combiningmark", "m", "mark":
		return 13, true
	case "mc", "spacingmark":
		return 14, true
	case "enclosingmark", "me":
		return 15, true
	case "mn", "nonspacingmark":
		return 16, true
	case "n", "number":
		return 17, true
	case "decimalnumber", "digit", "nd":
		return 18, true
	case "letternumber", "nl":
		return 19, true
	case "no", "othernumber":
		return 20, true
	case "p", "punct", "punctuation":
		return 21, true
	case "connectorpunctuation", "pc":
		return 22, true
	case "dashpunctuation", "pd":
		return 23, true
	case "closepunctuation", "pe":
		return 24, true
	case "finalpunctuation", "pf":
		return 25, true
	case "initialpunctuation", "pi":
		return 26, true
	case "otherpunctuation", "po":
		return 27, true
	case "openpunctuation", "ps":
		return 28, true
	case "s", "symbol":
		return 29, true
	case "currencysymbol", "sc":
		return 30, true
	case "modifiersymbol", "sk":
		return 31, true
	case "mathsymbol", "sm":
		return 32, true
	case "othersymbol", "so":
		return 33, true
	case "separator", "z":
		return 34, true
	case "lineseparator", "zl":
		return 35, true
	case "paragraphseparator", "zp":
		return 36, true
	case "spaceseparator", "zs":
		return 37, true
	case "adlam":
		return 38, true
	case "ahom":
		return 39, true
	case "anatolianhieroglyphs":
		return 40, true
	case "arabic":
		return 41, true
	case "armenian":
		return 42, true
	case "avestan":
		return 43, true
	case "balinese":
		return 44, true
	case "bamum":
		return 45, true
	case "bassavah":
		return 46, true
	case "batak":
		return 47, true
	case "bengali":
		return 48, true
	case "bhaiksuki":
		return 49, true
	case "bopomofo":
		return 50, true
	case "brahmi":
		return 51, true
	case "braille":
		return 52, true
	case "buginese":
		return 53, true
	case "buhid":
		return 54, true
	case "canadianaboriginal":
		return 55, true
	case "carian":
		return 56, true
	case "caucasianalbanian":
		return 57, true
	case "chakma":
		return 58, true
	case "cham":
		return 59, true
	case "cherokee":
		return 60, true
	case "chorasmian":
		return 61, true
	case "common":
		return 62, true
	case "coptic":
		return 63, true
	case "cuneiform":
		return 64, true
	case "cypriot":
		return 65, true
	case "cyprominoan":
		return 66, true
	case "cyrillic":
		return 67, true
	case "deseret":
		return 68, true
	case "devanagari":
		return 69, true
	case "divesakuru":
		return 70, true
	case "dogra":
		return 71, true
	case "duployan":
		return 72, true
	case "egyptianhieroglyphs":
		return 73, true
	case "elbasan":
		return 74, true
	case "elymaic":
		return 75, true
	case "ethiopic":
		return 76, true
	case "georgian":
		return 77, true
	case "glagolitic":
		return 78, true
	case "gothic":
		return 79, true
	case "grantha":
		return 80, true
	case "greek":
		return 81, true
	case "gujarati":
		return 82, true
	case "gunjalagondi":
		return 83, true
	case "gurmukhi":
		return 84, true
	case "han":
		return 85, true
	case "hangul":
		return 86, true
	case "hanifirohingya":
		return 87, true
	case "hanunoo":
		return 88, true
	case "hatran":
		return 89, true
	case "hebrew":
		return 90, true
	case "hiragana":
		return 91, true
	case "imperialaramaic":
		return 92, true
	case "inherited":
		return 93, true
	case "inscriptionalpahlavi":
		return 94, true
	case "inscriptionalparthian":
		return 95, true
	case "javanese":
		return 96, true
	case "kaithi":
		return 97, true
	case "kannada":
		return 98, true
	case "katakana":
		return 99, true
	case "kawi":
		return 100, true
	case "kayahli":
		return 101, true
	case "kharoshthi":
		return 102, true
	case "khitansmallscript":
		return 103, true
	case "khmer":
		return 104, true
	case "khojki":
		return 105, true
	case "khudawadi":
		return 106, true
	case "lao":
		return 107, true
	case "latin":
		return 108, true
	case "lepcha":
		return 109, true
	case "limbu":
		return 110, true
	case "lineara":
		return 111, true
	case "linearb":
		return 112, true
	case "lisu":
		return 113, true
	case "lycian":
		return 114, true
	case "lydian":
		return 115, true
	case "mahajani":
		return 116, true
	case "makasar":
		return 117, true
	case "malayalam":
		return 118, true
	case "mandaic":
		return 119, true
	case "manichaean":
		return 120, true
	case "marchen":
		return 121, true
	case "masaramgondi":
		return 122, true
	case "medefaidrin":
		return 123, true
	case "meeteimayek":
		return 124, true
	case "mendekikakui":
		return 125, true
	case "meroiticcursive":
		return 126, true
	case "meroitichieroglyphs":
		return 127, true
	case "miao":
		return 128, true
	case "modi":
		return 129, true
	case "mongolian":
		return 130, true
	case "mro":
		return 131, true
	case "multani":
		return 132, true
	case "myanmar":
		return 133, true
	case "nabataean":
		return 134, true
	case "nagmundari":
		return 135, true
	case "nandinagari":
		return 136, true
	case "newtailue":
		return 137, true
	case "newa":
		return 138, true
	case "nko":
		return 139, true
	case "nushu":
		return 140, true
	case "nyiakengpuachuehmong":
		return 141, true
	case "ogham":
		return 142, true
	case "olchiki":
		return 143, true
	case "oldhungarian":
		return 144, true
	case "olditalic":
		return 145, true
	case "oldnortharabian":
		return 146, true
	case "oldpermic":
		return 147, true
	case "oldpersian":
		return 148, true
	case "oldsogdian":
		return 149, true
	case "oldsoutharabian":
		return 150, true
	case "oldturkic":
		return 151, true
	case "olduyghur":
		return 152, true
	case "oriya":
		return 153, true
	case "osage":
		return 154, true
	case "osmanya":
		return 155, true
	case "pahawhhmong":
		return 156, true
	case "palmyrene":
		return 157, true
	case "paucinhau":
		return 158, true
	case "phagspa":
		return 159, true
	case "phoenician":
		return 160, true
	case "psalterpahlavi":
		return 161, true
	case "rejang":
		return 162, true
	case "runic":
		return 163, true
	case "samaritan":
		return 164, true
	case "saurashtra":
		return 165, true
	case "sharada":
		return 166, true
	case "shavian":
		return 167, true
	case "siddham":
		return 168, true
	case "signwriting":
		return 169, true
	case "sinhala":
		return 170, true
	case "sogdian":
		return 171, true
	case "sorasompeng":
		return 172, true
	case "soyombo":
		return 173, true
	case "sundanese":
		return 174, true
	case "sylotinagri":
		return 175, true
	case "syriac":
		return 176, true
	case "tagalog":
		return 177, true
	case "tagbanwa":
		return 178, true
	case "taile":
		return 179, true
	case "taitham":
		return 180, true
	case "taiviet":
		return 181, true
	case "takri":
		return 182, true
	case "tamil":
		return 183, true
	case "tangsa":
		return 184, true
	case "tangut":
		return 185, true
	case "telugu":
		return 186, true
	case "thaana":
		return 187, true
	case "thai":
		return 188, true
	case "tibetan":
		return 189, true
	case "tifinagh":
		return 190, true
	case "tirhuta":
		return 191, true
	case "toto":
		return 192, true
	case "ugaritic":
		return 193, true
	case "vai":
		return 194, true
	case "vithkuqi":
		return 195, true
	case "wancho":
		return 196, true
	case "warangciti":
		return 197, true
	case "yezidi":
		return 198, true
	case "yi":
		return 199, true
	case "zanabazarsquare":
		return 200, true
	}
	return 0, false
}
