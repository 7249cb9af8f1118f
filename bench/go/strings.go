// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

func main() {
	var sb strings.Builder
	x := 1
	for i := 0; i < 500000; i++ {
		x = (x*16807 + 7) % 2147483647
		sb.WriteString("word")
		sb.WriteString(strconv.Itoa(x % 5000))
		sb.WriteByte(' ')
	}
	text := sb.String()
	counts := map[string]int{}
	for _, w := range strings.Split(text, " ") {
		counts[w]++
	}
	keys := make([]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	vowels := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case 'a', 'e', 'i', 'o', 'u':
			vowels++
		}
	}
	up := strings.ToUpper(text)
	found := strings.Count(up, "WORD42")
	rep := strings.ReplaceAll(text, "word", "w")
	acc := ""
	for i := 0; i < 20000; i++ {
		acc += "x"
	}
	h := 0
	for i := 0; i < len(rep); i++ {
		h = (h*31 + int(rep[i])) % 1000000007
	}
	fmt.Println(len(text), len(keys), keys[1], counts["word42"], vowels, found, len(rep), len(acc), h)
}
