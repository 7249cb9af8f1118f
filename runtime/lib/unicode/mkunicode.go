// SPDX-License-Identifier: MIT

//go:build ignore

// Mkunicode writes the Unicode tables of package unicode and of the natives
// from the data of the Go toolchain that runs it (Unicode 15.0.0 with Go
// 1.26):
//
//	cd runtime/lib && go run unicode/mkunicode.go
//
// It writes unicode/unicode_data.inc (C constants), unicode/tables.go (names) and
// regexp/tables.go (names without case and separators).
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strings"
	"unicode"
)

const blockBits = 7

// The general categories in the order of enum uni_cat in unicode.h.
var cats = strings.Fields("Cn Cc Cf Co Cs Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No " +
	"Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs")

// classOf is a rune's general category, plus 0x20 for white space.
func classOf(r rune) byte {
	c := byte(0)
	for i, name := range cats[1:] {
		if unicode.Is(unicode.Categories[name], r) {
			c = byte(i + 1)
		}
	}
	if unicode.IsSpace(r) {
		c |= 0x20
	}
	return c
}

// list prints values, several to a line.
func list(w *bufio.Writer, head string, vals []string) {
	fmt.Fprintf(w, "%s = {", head)
	col := 80
	for _, v := range vals {
		if col+len(v)+2 > 79 {
			fmt.Fprint(w, "\n   ")
			col = 3
		}
		fmt.Fprintf(w, " %s,", v)
		col += len(v) + 2
	}
	fmt.Fprint(w, "\n};\n\n")
}

func writeClasses(w *bufio.Writer) {
	blocks := map[string]int{}
	var index, data []string
	for lo := rune(0); lo <= unicode.MaxRune; lo += 1 << blockBits {
		b := make([]byte, 1<<blockBits)
		for i := range b {
			b[i] = classOf(lo + rune(i))
		}
		n, ok := blocks[string(b)]
		if !ok {
			n = len(blocks)
			blocks[string(b)] = n
			for _, c := range b {
				data = append(data, fmt.Sprint(c))
			}
		}
		index = append(index, fmt.Sprint(n))
	}
	fmt.Fprintf(w, "#define UNI_BLOCK_BITS %d\n\n", blockBits)
	list(w, "static const uint16_t uni_index[]", index)
	list(w, "static const uint8_t uni_class_data[]", data)
}

func writeCases(w *bufio.Writer) {
	var vals []string
	for _, c := range unicode.CaseRanges {
		vals = append(vals, fmt.Sprintf("{0x%X, 0x%X, {%d, %d, %d}}", c.Lo,
			c.Hi, c.Delta[0], c.Delta[1], c.Delta[2]))
	}
	list(w, "static const struct uni_case uni_cases[]", vals)
	vals = nil
	for r := rune(0); r <= unicode.MaxRune; r++ {
		next := unicode.ToLower(r)
		if next == r {
			next = unicode.ToUpper(r)
		}
		if f := unicode.SimpleFold(r); f != next {
			vals = append(vals, fmt.Sprintf("{0x%X, 0x%X}", r, f))
		}
	}
	list(w, "static const struct uni_fold uni_folds[]", vals)
}

// tables collects every range table once, under its first name.
type tables struct {
	id   map[*unicode.RangeTable]int
	list []*unicode.RangeTable
	name []string
}

func (t *tables) add(name string, m map[string]*unicode.RangeTable) {
	for _, k := range keys(m) {
		if _, ok := t.id[m[k]]; !ok {
			t.id[m[k]] = len(t.list)
			t.list = append(t.list, m[k])
			t.name = append(t.name, name+k)
		}
	}
}

func keys(m map[string]*unicode.RangeTable) []string {
	var ks []string
	for k := range m {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	return ks
}

func writeRanges(w *bufio.Writer, t *tables) {
	var r16, r32, tab []string
	for _, x := range t.list {
		tab = append(tab, fmt.Sprintf("{%d, %d, %d, %d, %d}", len(r16),
			len(x.R16), len(r32), len(x.R32), x.LatinOffset))
		for _, r := range x.R16 {
			r16 = append(r16, fmt.Sprintf("{0x%X, 0x%X, %d}", r.Lo, r.Hi,
				r.Stride))
		}
		for _, r := range x.R32 {
			r32 = append(r32, fmt.Sprintf("{0x%X, 0x%X, %d}", r.Lo, r.Hi,
				r.Stride))
		}
	}
	list(w, "static const struct uni_r16 uni_r16[]", r16)
	list(w, "static const struct uni_r32 uni_r32[]", r32)
	list(w, "static const struct uni_table uni_tables[]", tab)
}

var longNames = map[string]string{"L": "Letter", "Ll": "Lower",
	"Lt": "Title", "Lu": "Upper", "M": "Mark", "N": "Number", "Nd": "Digit",
	"C": "Other", "P": "Punct", "Z": "Space", "S": "Symbol"}

func writeNames(w *bufio.Writer, t *tables) {
	fmt.Fprint(w, "// SPDX-License-Identifier: MIT\n\n"+
		"// Made by mkunicode.go.\n\npackage unicode\n\n"+
		"// Version is the edition of Unicode of the tables.\n"+
		"const Version = \"", unicode.Version, "\"\n\n"+
		"// The sets of runes by category, script and property.\nvar (\n")
	vars := func(prefix string, m map[string]*unicode.RangeTable) {
		for _, k := range keys(m) {
			id := t.id[m[k]]
			if t.name[id] == prefix+k {
				fmt.Fprintf(w, "\t%s = table(%d)\n", k, id)
			} else {
				fmt.Fprintf(w, "\t%s = %s\n", k, t.name[id][1:])
			}
			if l, ok := longNames[k]; ok && prefix == "c" {
				fmt.Fprintf(w, "\t%s = %s\n", l, k)
			}
		}
	}
	vars("c", unicode.Categories)
	vars("s", unicode.Scripts)
	vars("p", unicode.Properties)
	fmt.Fprint(w, ")\n\n")
	for i, m := range []map[string]*unicode.RangeTable{unicode.Categories,
		unicode.Scripts, unicode.Properties, unicode.FoldCategory,
		unicode.FoldScript} {
		name := []string{"Categories", "Scripts", "Properties",
			"FoldCategory", "FoldScript"}[i]
		about := []string{"by name", "by name", "by name",
			"of runes outside that are equal under folding to one inside",
			"of runes outside that are equal under folding to one inside"}[i]
		fmt.Fprintf(w, "// %s is the tables %s.\n", name, about)
		fmt.Fprintf(w, "var %s = map[string]*RangeTable{\n", name)
		for _, k := range keys(m) {
			v := t.name[t.id[m[k]]][1:]
			if i > 2 {
				v = fmt.Sprintf("table(%d)", t.id[m[k]])
			}
			fmt.Fprintf(w, "\t%q: %s,\n", k, v)
		}
		fmt.Fprint(w, "}\n\n")
	}
	fmt.Fprint(w, "// CategoryAliases maps long category names to short "+
		"ones.\nvar CategoryAliases = map[string]string{\n")
	var as []string
	for k, v := range unicode.CategoryAliases {
		as = append(as, fmt.Sprintf("\t%q: %q,\n", k, v))
	}
	sort.Strings(as)
	fmt.Fprint(w, strings.Join(as, ""), "}\n\n"+
		"// GraphicRanges is the set of IsGraphic.\n"+
		"var GraphicRanges = []*RangeTable{L, M, N, P, S, Zs}\n\n"+
		"// PrintRanges is the set of IsPrint, the ASCII space apart.\n"+
		"var PrintRanges = []*RangeTable{L, M, N, P, S}\n")
}

func create(name string, f func(w *bufio.Writer)) {
	file, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	w := bufio.NewWriter(file)
	f(w)
	if err := w.Flush(); err != nil {
		panic(err)
	}
	file.Close()
}

// writeKeys writes the numbers of categories and scripts by the names that
// regular expressions use.
func writeKeys(w *bufio.Writer, t *tables) {
	key := strings.NewReplacer("_", "", "-", "", " ", "")
	keys := map[int][]string{}
	add := func(name string, rt *unicode.RangeTable) {
		name = strings.ToLower(key.Replace(name))
		keys[t.id[rt]] = append(keys[t.id[rt]], name)
	}
	for name, rt := range unicode.Categories {
		add(name, rt)
	}
	for alias, name := range unicode.CategoryAliases {
		add(alias, unicode.Categories[name])
	}
	for name, rt := range unicode.Scripts {
		add(name, rt)
	}
	var ids []int
	for id := range keys {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	fmt.Fprint(w, "// SPDX-License-Identifier: MIT\n\n// Made by mkunicode.go.\n\n"+
		"package regexp\n\n// tableNumber is the number of a table of package "+
		"unicode by its name in lower\n// case, without separators.\n"+
		"func tableNumber(name string) (id int, ok bool) {\n\tswitch name {\n")
	for _, id := range ids {
		sort.Strings(keys[id])
		fmt.Fprintf(w, "\tcase %q", keys[id][0])
		for i, k := range keys[id][1:] {
			if k != keys[id][i] {
				fmt.Fprintf(w, ", %q", k)
			}
		}
		fmt.Fprintf(w, ":\n\t\treturn %d, true\n", id)
	}
	fmt.Fprint(w, "\t}\n\treturn 0, false\n}\n")
}

func main() {
	t := &tables{id: map[*unicode.RangeTable]int{}}
	t.add("c", unicode.Categories)
	t.add("s", unicode.Scripts)
	t.add("p", unicode.Properties)
	t.add("f", unicode.FoldCategory)
	t.add("f", unicode.FoldScript)
	create("unicode/unicode_data.inc", func(w *bufio.Writer) {
		fmt.Fprint(w, "/* SPDX-License-Identifier: MIT */\n"+
			"/* Made by mkunicode.go: the Unicode ", unicode.Version,
			" tables. */\n\n")
		writeClasses(w)
		writeCases(w)
		writeRanges(w, t)
	})
	create("unicode/tables.go", func(w *bufio.Writer) { writeNames(w, t) })
	create("regexp/tables.go", func(w *bufio.Writer) { writeKeys(w, t) })
}
