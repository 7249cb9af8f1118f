// SPDX-License-Identifier: MIT

// Made by mkunicode.go.

package unicode

// Version is the edition of Unicode of the tables.
const Version = "15.0.0"

// The sets of runes by category, script and property.
var (
	C                                  = table(0)
	Other                              = C
	Cc                                 = table(1)
	Cf                                 = table(2)
	Cn                                 = table(3)
	Co                                 = table(4)
	Cs                                 = table(5)
	L                                  = table(6)
	Letter                             = L
	LC                                 = table(7)
	Ll                                 = table(8)
	Lower                              = Ll
	Lm                                 = table(9)
	Lo                                 = table(10)
	Lt                                 = table(11)
	Title                              = Lt
	Lu                                 = table(12)
	Upper                              = Lu
	M                                  = table(13)
	Mark                               = M
	Mc                                 = table(14)
	Me                                 = table(15)
	Mn                                 = table(16)
	N                                  = table(17)
	Number                             = N
	Nd                                 = table(18)
	Digit                              = Nd
	Nl                                 = table(19)
	No                                 = table(20)
	P                                  = table(21)
	Punct                              = P
	Pc                                 = table(22)
	Pd                                 = table(23)
	Pe                                 = table(24)
	Pf                                 = table(25)
	Pi                                 = table(26)
	Po                                 = table(27)
	Ps                                 = table(28)
	S                                  = table(29)
	Symbol                             = S
	Sc                                 = table(30)
	Sk                                 = table(31)
	Sm                                 = table(32)
	So                                 = table(33)
	Z                                  = table(34)
	Space                              = Z
	Zl                                 = table(35)
	Zp                                 = table(36)
	Zs                                 = table(37)
	Adlam                              = table(38)
	Ahom                               = table(39)
	Anatolian_Hieroglyphs              = table(40)
	Arabic                             = table(41)
	Armenian                           = table(42)
	Avestan                            = table(43)
	Balinese                           = table(44)
	Bamum                              = table(45)
	Bassa_Vah                          = table(46)
	Batak                              = table(47)
	Bengali                            = table(48)
	Bhaiksuki                          = table(49)
	Bopomofo                           = table(50)
	Brahmi                             = table(51)
	Braille                            = table(52)
	Buginese                           = table(53)
	Buhid                              = table(54)
	Canadian_Aboriginal                = table(55)
	Carian                             = table(56)
	Caucasian_Albanian                 = table(57)
	Chakma                             = table(58)
	Cham                               = table(59)
	Cherokee                           = table(60)
	Chorasmian                         = table(61)
	Common                             = table(62)
	Coptic                             = table(63)
	Cuneiform                          = table(64)
	Cypriot                            = table(65)
	Cypro_Minoan                       = table(66)
	Cyrillic                           = table(67)
	Deseret                            = table(68)
	Devanagari                         = table(69)
	Dives_Akuru                        = table(70)
	Dogra                              = table(71)
	Duployan                           = table(72)
	Egyptian_Hieroglyphs               = table(73)
	Elbasan                            = table(74)
	Elymaic                            = table(75)
	Ethiopic                           = table(76)
	Georgian                           = table(77)
	Glagolitic                         = table(78)
	Gothic                             = table(79)
	Grantha                            = table(80)
	Greek                              = table(81)
	Gujarati                           = table(82)
	Gunjala_Gondi                      = table(83)
	Gurmukhi                           = table(84)
	Han                                = table(85)
	Hangul                             = table(86)
	Hanifi_Rohingya                    = table(87)
	Hanunoo                            = table(88)
	Hatran                             = table(89)
	Hebrew                             = table(90)
	Hiragana                           = table(91)
	Imperial_Aramaic                   = table(92)
	Inherited                          = table(93)
	Inscriptional_Pahlavi              = table(94)
	Inscriptional_Parthian             = table(95)
	Javanese                           = table(96)
	Kaithi                             = table(97)
	Kannada                            = table(98)
	Katakana                           = table(99)
	Kawi                               = table(100)
	Kayah_Li                           = table(101)
	Kharoshthi                         = table(102)
	Khitan_Small_Script                = table(103)
	Khmer                              = table(104)
	Khojki                             = table(105)
	Khudawadi                          = table(106)
	Lao                                = table(107)
	Latin                              = table(108)
	Lepcha                             = table(109)
	Limbu                              = table(110)
	Linear_A                           = table(111)
	Linear_B                           = table(112)
	Lisu                               = table(113)
	Lycian                             = table(114)
	Lydian                             = table(115)
	Mahajani                           = table(116)
	Makasar                            = table(117)
	Malayalam                          = table(118)
	Mandaic                            = table(119)
	Manichaean                         = table(120)
	Marchen                            = table(121)
	Masaram_Gondi                      = table(122)
	Medefaidrin                        = table(123)
	Meetei_Mayek                       = table(124)
	Mende_Kikakui                      = table(125)
	Meroitic_Cursive                   = table(126)
	Meroitic_Hieroglyphs               = table(127)
	Miao                               = table(128)
	Modi                               = table(129)
	Mongolian                          = table(130)
	Mro                                = table(131)
	Multani                            = table(132)
	Myanmar                            = table(133)
	Nabataean                          = table(134)
	Nag_Mundari                        = table(135)
	Nandinagari                        = table(136)
	New_Tai_Lue                        = table(137)
	Newa                               = table(138)
	Nko                                = table(139)
	Nushu                              = table(140)
	Nyiakeng_Puachue_Hmong             = table(141)
	Ogham                              = table(142)
	Ol_Chiki                           = table(143)
	Old_Hungarian                      = table(144)
	Old_Italic                         = table(145)
	Old_North_Arabian                  = table(146)
	Old_Permic                         = table(147)
	Old_Persian                        = table(148)
	Old_Sogdian                        = table(149)
	Old_South_Arabian                  = table(150)
	Old_Turkic                         = table(151)
	Old_Uyghur                         = table(152)
	Oriya                              = table(153)
	Osage                              = table(154)
	Osmanya                            = table(155)
	Pahawh_Hmong                       = table(156)
	Palmyrene                          = table(157)
	Pau_Cin_Hau                        = table(158)
	Phags_Pa                           = table(159)
	Phoenician                         = table(160)
	Psalter_Pahlavi                    = table(161)
	Rejang                             = table(162)
	Runic                              = table(163)
	Samaritan                          = table(164)
	Saurashtra                         = table(165)
	Sharada                            = table(166)
	Shavian                            = table(167)
	Siddham                            = table(168)
	SignWriting                        = table(169)
	Sinhala                            = table(170)
	Sogdian                            = table(171)
	Sora_Sompeng                       = table(172)
	Soyombo                            = table(173)
	Sundanese                          = table(174)
	Syloti_Nagri                       = table(175)
	Syriac                             = table(176)
	Tagalog                            = table(177)
	Tagbanwa                           = table(178)
	Tai_Le                             = table(179)
	Tai_Tham                           = table(180)
	Tai_Viet                           = table(181)
	Takri                              = table(182)
	Tamil                              = table(183)
	Tangsa                             = table(184)
	Tangut                             = table(185)
	Telugu                             = table(186)
	Thaana                             = table(187)
	Thai                               = table(188)
	Tibetan                            = table(189)
	Tifinagh                           = table(190)
	Tirhuta                            = table(191)
	Toto                               = table(192)
	Ugaritic                           = table(193)
	Vai                                = table(194)
	Vithkuqi                           = table(195)
	Wancho                             = table(196)
	Warang_Citi                        = table(197)
	Yezidi                             = table(198)
	Yi                                 = table(199)
	Zanabazar_Square                   = table(200)
	ASCII_Hex_Digit                    = table(201)
	Bidi_Control                       = table(202)
	Dash                               = table(203)
	Deprecated                         = table(204)
	Diacritic                          = table(205)
	Extender                           = table(206)
	Hex_Digit                          = table(207)
	Hyphen                             = table(208)
	IDS_Binary_Operator                = table(209)
	IDS_Trinary_Operator               = table(210)
	Ideographic                        = table(211)
	Join_Control                       = table(212)
	Logical_Order_Exception            = table(213)
	Noncharacter_Code_Point            = table(214)
	Other_Alphabetic                   = table(215)
	Other_Default_Ignorable_Code_Point = table(216)
	Other_Grapheme_Extend              = table(217)
	Other_ID_Continue                  = table(218)
	Other_ID_Start                     = table(219)
	Other_Lowercase                    = table(220)
	Other_Math                         = table(221)
	Other_Uppercase                    = table(222)
	Pattern_Syntax                     = table(223)
	Pattern_White_Space                = table(224)
	Prepended_Concatenation_Mark       = table(225)
	Quotation_Mark                     = table(226)
	Radical                            = table(227)
	Regional_Indicator                 = table(228)
	STerm                              = table(229)
	Sentence_Terminal                  = STerm
	Soft_Dotted                        = table(230)
	Terminal_Punctuation               = table(231)
	Unified_Ideograph                  = table(232)
	Variation_Selector                 = table(233)
	White_Space                        = table(234)
)

// Categories is the tables by name.
var Categories = map[string]*RangeTable{
	"C":  C,
	"Cc": Cc,
	"Cf": Cf,
	"Cn": Cn,
	"Co": Co,
	"Cs": Cs,
	"L":  L,
	"LC": LC,
	"Ll": Ll,
	"Lm": Lm,
	"Lo": Lo,
	"Lt": Lt,
	"Lu": Lu,
	"M":  M,
	"Mc": Mc,
	"Me": Me,
	"Mn": Mn,
	"N":  N,
	"Nd": Nd,
	"Nl": Nl,
	"No": No,
	"P":  P,
	"Pc": Pc,
	"Pd": Pd,
	"Pe": Pe,
	"Pf": Pf,
	"Pi": Pi,
	"Po": Po,
	"Ps": Ps,
	"S":  S,
	"Sc": Sc,
	"Sk": Sk,
	"Sm": Sm,
	"So": So,
	"Z":  Z,
	"Zl": Zl,
	"Zp": Zp,
	"Zs": Zs,
}

// Scripts is the tables by name.
var Scripts = map[string]*RangeTable{
	"Adlam":                  Adlam,
	"Ahom":                   Ahom,
	"Anatolian_Hieroglyphs":  Anatolian_Hieroglyphs,
	"Arabic":                 Arabic,
	"Armenian":               Armenian,
	"Avestan":                Avestan,
	"Balinese":               Balinese,
	"Bamum":                  Bamum,
	"Bassa_Vah":              Bassa_Vah,
	"Batak":                  Batak,
	"Bengali":                Bengali,
	"Bhaiksuki":              Bhaiksuki,
	"Bopomofo":               Bopomofo,
	"Brahmi":                 Brahmi,
	"Braille":                Braille,
	"Buginese":               Buginese,
	"Buhid":                  Buhid,
	"Canadian_Aboriginal":    Canadian_Aboriginal,
	"Carian":                 Carian,
	"Caucasian_Albanian":     Caucasian_Albanian,
	"Chakma":                 Chakma,
	"Cham":                   Cham,
	"Cherokee":               Cherokee,
	"Chorasmian":             Chorasmian,
	"Common":                 Common,
	"Coptic":                 Coptic,
	"Cuneiform":              Cuneiform,
	"Cypriot":                Cypriot,
	"Cypro_Minoan":           Cypro_Minoan,
	"Cyrillic":               Cyrillic,
	"Deseret":                Deseret,
	"Devanagari":             Devanagari,
	"Dives_Akuru":            Dives_Akuru,
	"Dogra":                  Dogra,
	"Duployan":               Duployan,
	"Egyptian_Hieroglyphs":   Egyptian_Hieroglyphs,
	"Elbasan":                Elbasan,
	"Elymaic":                Elymaic,
	"Ethiopic":               Ethiopic,
	"Georgian":               Georgian,
	"Glagolitic":             Glagolitic,
	"Gothic":                 Gothic,
	"Grantha":                Grantha,
	"Greek":                  Greek,
	"Gujarati":               Gujarati,
	"Gunjala_Gondi":          Gunjala_Gondi,
	"Gurmukhi":               Gurmukhi,
	"Han":                    Han,
	"Hangul":                 Hangul,
	"Hanifi_Rohingya":        Hanifi_Rohingya,
	"Hanunoo":                Hanunoo,
	"Hatran":                 Hatran,
	"Hebrew":                 Hebrew,
	"Hiragana":               Hiragana,
	"Imperial_Aramaic":       Imperial_Aramaic,
	"Inherited":              Inherited,
	"Inscriptional_Pahlavi":  Inscriptional_Pahlavi,
	"Inscriptional_Parthian": Inscriptional_Parthian,
	"Javanese":               Javanese,
	"Kaithi":                 Kaithi,
	"Kannada":                Kannada,
	"Katakana":               Katakana,
	"Kawi":                   Kawi,
	"Kayah_Li":               Kayah_Li,
	"Kharoshthi":             Kharoshthi,
	"Khitan_Small_Script":    Khitan_Small_Script,
	"Khmer":                  Khmer,
	"Khojki":                 Khojki,
	"Khudawadi":              Khudawadi,
	"Lao":                    Lao,
	"Latin":                  Latin,
	"Lepcha":                 Lepcha,
	"Limbu":                  Limbu,
	"Linear_A":               Linear_A,
	"Linear_B":               Linear_B,
	"Lisu":                   Lisu,
	"Lycian":                 Lycian,
	"Lydian":                 Lydian,
	"Mahajani":               Mahajani,
	"Makasar":                Makasar,
	"Malayalam":              Malayalam,
	"Mandaic":                Mandaic,
	"Manichaean":             Manichaean,
	"Marchen":                Marchen,
	"Masaram_Gondi":          Masaram_Gondi,
	"Medefaidrin":            Medefaidrin,
	"Meetei_Mayek":           Meetei_Mayek,
	"Mende_Kikakui":          Mende_Kikakui,
	"Meroitic_Cursive":       Meroitic_Cursive,
	"Meroitic_Hieroglyphs":   Meroitic_Hieroglyphs,
	"Miao":                   Miao,
	"Modi":                   Modi,
	"Mongolian":              Mongolian,
	"Mro":                    Mro,
	"Multani":                Multani,
	"Myanmar":                Myanmar,
	"Nabataean":              Nabataean,
	"Nag_Mundari":            Nag_Mundari,
	"Nandinagari":            Nandinagari,
	"New_Tai_Lue":            New_Tai_Lue,
	"Newa":                   Newa,
	"Nko":                    Nko,
	"Nushu":                  Nushu,
	"Nyiakeng_Puachue_Hmong": Nyiakeng_Puachue_Hmong,
	"Ogham":                  Ogham,
	"Ol_Chiki":               Ol_Chiki,
	"Old_Hungarian":          Old_Hungarian,
	"Old_Italic":             Old_Italic,
	"Old_North_Arabian":      Old_North_Arabian,
	"Old_Permic":             Old_Permic,
	"Old_Persian":            Old_Persian,
	"Old_Sogdian":            Old_Sogdian,
	"Old_South_Arabian":      Old_South_Arabian,
	"Old_Turkic":             Old_Turkic,
	"Old_Uyghur":             Old_Uyghur,
	"Oriya":                  Oriya,
	"Osage":                  Osage,
	"Osmanya":                Osmanya,
	"Pahawh_Hmong":           Pahawh_Hmong,
	"Palmyrene":              Palmyrene,
	"Pau_Cin_Hau":            Pau_Cin_Hau,
	"Phags_Pa":               Phags_Pa,
	"Phoenician":             Phoenician,
	"Psalter_Pahlavi":        Psalter_Pahlavi,
	"Rejang":                 Rejang,
	"Runic":                  Runic,
	"Samaritan":              Samaritan,
	"Saurashtra":             Saurashtra,
	"Sharada":                Sharada,
	"Shavian":                Shavian,
	"Siddham":                Siddham,
	"SignWriting":            SignWriting,
	"Sinhala":                Sinhala,
	"Sogdian":                Sogdian,
	"Sora_Sompeng":           Sora_Sompeng,
	"Soyombo":                Soyombo,
	"Sundanese":              Sundanese,
	"Syloti_Nagri":           Syloti_Nagri,
	"Syriac":                 Syriac,
	"Tagalog":                Tagalog,
	"Tagbanwa":               Tagbanwa,
	"Tai_Le":                 Tai_Le,
	"Tai_Tham":               Tai_Tham,
	"Tai_Viet":               Tai_Viet,
	"Takri":                  Takri,
	"Tamil":                  Tamil,
	"Tangsa":                 Tangsa,
	"Tangut":                 Tangut,
	"Telugu":                 Telugu,
	"Thaana":                 Thaana,
	"Thai":                   Thai,
	"Tibetan":                Tibetan,
	"Tifinagh":               Tifinagh,
	"Tirhuta":                Tirhuta,
	"Toto":                   Toto,
	"Ugaritic":               Ugaritic,
	"Vai":                    Vai,
	"Vithkuqi":               Vithkuqi,
	"Wancho":                 Wancho,
	"Warang_Citi":            Warang_Citi,
	"Yezidi":                 Yezidi,
	"Yi":                     Yi,
	"Zanabazar_Square":       Zanabazar_Square,
}

// Properties is the tables by name.
var Properties = map[string]*RangeTable{
	"ASCII_Hex_Digit":                    ASCII_Hex_Digit,
	"Bidi_Control":                       Bidi_Control,
	"Dash":                               Dash,
	"Deprecated":                         Deprecated,
	"Diacritic":                          Diacritic,
	"Extender":                           Extender,
	"Hex_Digit":                          Hex_Digit,
	"Hyphen":                             Hyphen,
	"IDS_Binary_Operator":                IDS_Binary_Operator,
	"IDS_Trinary_Operator":               IDS_Trinary_Operator,
	"Ideographic":                        Ideographic,
	"Join_Control":                       Join_Control,
	"Logical_Order_Exception":            Logical_Order_Exception,
	"Noncharacter_Code_Point":            Noncharacter_Code_Point,
	"Other_Alphabetic":                   Other_Alphabetic,
	"Other_Default_Ignorable_Code_Point": Other_Default_Ignorable_Code_Point,
	"Other_Grapheme_Extend":              Other_Grapheme_Extend,
	"Other_ID_Continue":                  Other_ID_Continue,
	"Other_ID_Start":                     Other_ID_Start,
	"Other_Lowercase":                    Other_Lowercase,
	"Other_Math":                         Other_Math,
	"Other_Uppercase":                    Other_Uppercase,
	"Pattern_Syntax":                     Pattern_Syntax,
	"Pattern_White_Space":                Pattern_White_Space,
	"Prepended_Concatenation_Mark":       Prepended_Concatenation_Mark,
	"Quotation_Mark":                     Quotation_Mark,
	"Radical":                            Radical,
	"Regional_Indicator":                 Regional_Indicator,
	"STerm":                              STerm,
	"Sentence_Terminal":                  STerm,
	"Soft_Dotted":                        Soft_Dotted,
	"Terminal_Punctuation":               Terminal_Punctuation,
	"Unified_Ideograph":                  Unified_Ideograph,
	"Variation_Selector":                 Variation_Selector,
	"White_Space":                        White_Space,
}

// FoldCategory is the tables of runes outside that are equal under folding to one inside.
var FoldCategory = map[string]*RangeTable{
	"L":  table(235),
	"Ll": table(236),
	"Lt": table(237),
	"Lu": table(238),
	"M":  table(239),
	"Mn": table(240),
}

// FoldScript is the tables of runes outside that are equal under folding to one inside.
var FoldScript = map[string]*RangeTable{
	"Common":    table(241),
	"Greek":     table(242),
	"Inherited": table(243),
}

// CategoryAliases maps long category names to short ones.
var CategoryAliases = map[string]string{
	"Cased_Letter":          "LC",
	"Close_Punctuation":     "Pe",
	"Combining_Mark":        "M",
	"Connector_Punctuation": "Pc",
	"Control":               "Cc",
	"Currency_Symbol":       "Sc",
	"Dash_Punctuation":      "Pd",
	"Decimal_Number":        "Nd",
	"Enclosing_Mark":        "Me",
	"Final_Punctuation":     "Pf",
	"Format":                "Cf",
	"Initial_Punctuation":   "Pi",
	"Letter":                "L",
	"Letter_Number":         "Nl",
	"Line_Separator":        "Zl",
	"Lowercase_Letter":      "Ll",
	"Mark":                  "M",
	"Math_Symbol":           "Sm",
	"Modifier_Letter":       "Lm",
	"Modifier_Symbol":       "Sk",
	"Nonspacing_Mark":       "Mn",
	"Number":                "N",
	"Open_Punctuation":      "Ps",
	"Other":                 "C",
	"Other_Letter":          "Lo",
	"Other_Number":          "No",
	"Other_Punctuation":     "Po",
	"Other_Symbol":          "So",
	"Paragraph_Separator":   "Zp",
	"Private_Use":           "Co",
	"Punctuation":           "P",
	"Separator":             "Z",
	"Space_Separator":       "Zs",
	"Spacing_Mark":          "Mc",
	"Surrogate":             "Cs",
	"Symbol":                "S",
	"Titlecase_Letter":      "Lt",
	"Unassigned":            "Cn",
	"Uppercase_Letter":      "Lu",
	"cntrl":                 "Cc",
	"digit":                 "Nd",
	"punct":                 "P",
}

// GraphicRanges is the set of IsGraphic.
var GraphicRanges = []*RangeTable{L, M, N, P, S, Zs}

// PrintRanges is the set of IsPrint, the ASCII space apart.
var PrintRanges = []*RangeTable{L, M, N, P, S}
