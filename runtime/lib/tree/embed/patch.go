// SPDX-License-Identifier: MIT

// Package embed gets its files from the compiler.
package embed

// _vole_files makes the value of a variable with //go:embed. index has a name
// and the decimal length of each file, both with a 0 byte behind, in the order
// that FS wants; data has their bytes, one behind the other. Folders have a
// slash behind their names.
func _vole_files(index, data string) FS {
	var list []file
	for index != "" {
		var f file
		f.name, index = _vole_word(index)
		word, rest := _vole_word(index)
		n := 0
		for i := 0; i < len(word); i++ {
			n = n*10 + int(word[i]-'0')
		}
		f.data, data, index = data[:n], data[n:], rest
		list = append(list, f)
	}
	return FS{&list}
}

func _vole_word(s string) (word, rest string) {
	i := 0
	for s[i] != 0 {
		i++
	}
	return s[:i], s[i+1:]
}
