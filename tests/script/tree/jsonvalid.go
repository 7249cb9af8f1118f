// run
// tree

// What encoding/json takes for JSON, and what it says of the rest: texts and
// what is left of them after some bytes have changed.
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
)

var texts = []string{
	`{"a": [1, -0.5e+10, "x\u00e9\n\\", true, false, null], "b": {}, "c": [[], {"d": ""}]}`,
	` [ 0 , 1.0E-7 , { "k" : [ { } , [ ] , "\"\/\b\f\r\t" ] } ] ` + "\t\r\n",
	`"just a string \ud83d\ude00 ` + "\xff\xc3\xa9" + `"`,
	`-12345678901234567890.0123456789e99`,
	`null`,
	`[[[[1,2],{"a":{"b":[{"c":3}]}}],"x"],0]`,
}

const bytes = "{}[]:,\"\\ \t\n\x0b\x00\x1f0123456789.eE+-tfnrulasbx/\x7f\x80\xff"

func main() {
	seed := uint64(88172645463325252)
	next := func(n int) int {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		return int(seed % uint64(n))
	}
	h := fnv.New64a()
	valid := 0
	for i := range 60000 {
		b := []byte(texts[i%len(texts)])
		for range next(4) {
			at := next(len(b))
			switch next(3) {
			case 0:
				b[at] = bytes[next(len(bytes))]
			case 1:
				b = append(b[:at], b[at+1:]...)
			default:
				b = append(b[:at+1], b[at:]...)
				b[at] = bytes[next(len(bytes))]
			}
			if len(b) == 0 {
				b = []byte(" ")
			}
		}
		if json.Valid(b) {
			valid++
		}
		var v any
		err := json.Unmarshal(b, &v)
		fmt.Fprintf(h, "%q %v %v\n", b, v, err)
		if e, ok := err.(*json.SyntaxError); ok {
			fmt.Fprintln(h, e.Offset)
		}
	}
	fmt.Println(valid, h.Sum64())
	for _, n := range []int{63, 64, 65, 9999, 10000, 10001} {
		for _, pair := range []string{"[]", "{}"} {
			open := pair[:1]
			if open == "{" {
				open = `{"a":`
			}
			text := strings.Repeat(open, n-1) + pair + strings.Repeat(pair[1:], n-1)
			var v any
			fmt.Println(n, pair, json.Valid([]byte(text)), json.Unmarshal([]byte(text), &v))
			fmt.Println(json.Valid([]byte(text+pair[1:])), json.Valid([]byte(text[:len(text)-1])))
		}
	}
	big := "[" + strings.Repeat(`{"a":[1,2,3]},`, 400000) + "0]"
	fmt.Println(len(big), json.Valid([]byte(big)), json.Valid([]byte(big[1:])))
}
