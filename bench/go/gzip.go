// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Compresses a text and gets it back.
func main() {
	words := []string{"the ", "quick ", "brown ", "fox ", "jumps ", "over ",
		"lazy ", "dogs ", "and ", "runs\n"}
	var text bytes.Buffer
	x := uint32(42)
	for text.Len() < 2000000 {
		x = x*1664525 + 1013904223
		text.WriteString(words[x>>16%10])
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(text.Bytes())
	w.Close()
	size := packed.Len()
	r, err := gzip.NewReader(&packed)
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := io.ReadAll(r)
	fmt.Println(text.Len(), size > 1000, bytes.Equal(back, text.Bytes()), err)
}
