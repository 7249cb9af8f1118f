// SPDX-License-Identifier: MIT

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
)

// Reads lines of DNA and writes its reverse complement.
func main() {
	var in bytes.Buffer
	x := uint32(42)
	for i := range 20000000 {
		x = x*1664525 + 1013904223
		in.WriteByte("ACGT"[x>>30])
		if i%60 == 59 {
			in.WriteByte('\n')
		}
	}
	var table [256]byte
	for i, c := range "ACGT" {
		table[c] = "TGCA"[i]
	}
	var all []byte
	sc := bufio.NewScanner(&in)
	for sc.Scan() {
		all = append(all, sc.Bytes()...)
	}
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = table[all[j]], table[all[i]]
	}
	h := crc32.NewIEEE()
	w := bufio.NewWriter(h)
	for len(all) > 0 {
		n := min(60, len(all))
		w.Write(all[:n])
		w.WriteByte('\n')
		all = all[n:]
	}
	w.Flush()
	fmt.Printf("%08x\n", h.Sum32())
}
