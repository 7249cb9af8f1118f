package main

import "fmt"

// Counts words, of which new ones turn up all the time.
func main() {
	count := map[string]int{}
	x := uint32(7)
	for i := 0; i < 1000000; i++ {
		x = x*1664525 + 1013904223
		b := []byte{'a' + byte(x>>28), 'a' + byte(x>>24&15),
			'a' + byte(x>>20&15), 'a' + byte(x>>16&15), 'a' + byte(x>>12&15)}
		count[string(b)]++
	}
	most, word := 0, ""
	for w, n := range count {
		if n > most || n == most && w < word {
			most, word = n, w
		}
	}
	fmt.Println(len(count), most, word)
}
