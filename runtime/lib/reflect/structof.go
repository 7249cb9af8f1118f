// SPDX-License-Identifier: MIT

package reflect

import (
	"internal/rt"
	"strconv"
	"unicode"
)

func isFieldName(name string) bool {
	for i, c := range name {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' ||
			c >= 0x80 && unicode.IsLetter(c)
		if !letter && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return name != ""
}

// cstring is s with a zero byte behind it.
func cstring(s string) *byte {
	b := append([]byte(s), 0)
	return &b[0]
}

// checkField panics if f cannot be field i of a struct.
func checkField(i int, f StructField) {
	switch {
	case f.Name == "":
		panic("reflect.StructOf: field " + strconv.Itoa(i) + " has no name")
	case !isFieldName(f.Name):
		panic("reflect.StructOf: field " + strconv.Itoa(i) + " has invalid name")
	case f.Type == nil:
		panic("reflect.StructOf: field " + strconv.Itoa(i) + " has no type")
	case f.Anonymous && f.PkgPath != "":
		panic("reflect.StructOf: field \"" + f.Name + "\" is anonymous but has PkgPath set")
	case f.IsExported() && (f.Name[0] == '_' || 'a' <= f.Name[0] && f.Name[0] <= 'z'):
		panic("reflect.StructOf: field \"" + f.Name + "\" is unexported but missing PkgPath")
	}
}

// checkEmbedded panics if t cannot be embedded as field i of n. The code of
// its methods serves the struct, too, which must begin with the receiver then.
func checkEmbedded(t rt.Type, i, n int) {
	k := rt.KindOf(t)
	methods := rt.NumMethod(t)
	if k == rt.Pointer {
		e := rt.Elem(t)
		if ek := rt.KindOf(e); ek == rt.Pointer || ek == rt.Interface {
			panic("reflect.StructOf: illegal embedded field type " + rt.TypeString(t))
		}
	}
	for m := 0; m < methods; m++ {
		// Methods of a package other than the type's.
		pkg := rt.PkgPath(t)
		if k == rt.Pointer {
			pkg = rt.PkgPath(rt.Elem(t))
		}
		_, _, exported := rt.Method(t, m)
		if !exported && pkg != "" && rt.MethodPkg(t, m) != pkg {
			panic("reflect: embedded interface with unexported method(s) not implemented")
		}
	}
	if k == rt.Interface || methods == 0 {
		return
	}
	if i > 0 {
		panic("reflect: embedded type with methods not implemented if type is not first field")
	}
	if n > 1 && k == rt.Pointer {
		panic("reflect: embedded type with methods not implemented if there is more than one field")
	}
	if n > 1 && words>>k&1 != 0 {
		panic("reflect: embedded type with methods not implemented for non-pointer type")
	}
}

// StructOf is the struct type with these fields; Offset and Index do not
// matter.
func StructOf(fields []StructField) Type {
	made := make([]rt.Made, len(fields))
	names := map[string]bool{}
	pkg := ""
	for i, f := range fields {
		checkField(i, f)
		m := rt.Made{Name: cstring(f.Name), Typ: f.Type.desc()}
		if f.PkgPath == "" {
			m.Flags |= rt.Exported
		} else {
			if pkg != "" && pkg != f.PkgPath {
				panic("reflect.Struct: fields with different PkgPath " + pkg +
					" and " + f.PkgPath)
			}
			pkg = f.PkgPath
			m.Pkg = cstring(pkg)
		}
		if f.Anonymous {
			checkEmbedded(m.Typ, i, len(fields))
			m.Flags |= rt.Embedded
		}
		if f.Tag != "" {
			m.Tag = cstring(string(f.Tag))
		}
		if names[f.Name] && f.Name != "_" {
			panic("reflect.StructOf: duplicate field " + f.Name)
		}
		names[f.Name] = true
		made[i] = m
	}
	t := rt.StructOf(made)
	if t == nil {
		panic("reflect.StructOf: struct size would exceed virtual address space")
	}
	return toType(t)
}
