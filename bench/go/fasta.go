// SPDX-License-Identifier: MIT

package main

import (
	"bufio"
	"fmt"
	"os"
)

// Writes DNA: some repeated, some drawn from a distribution.

const width = 60

type base struct {
	c byte
	p float64
}

var seed uint32 = 42

func random() float64 {
	seed = (seed*3877 + 29573) % 139968
	return float64(seed) / 139968
}

func repeat(w *bufio.Writer, s string, n int) {
	at := 0
	for n > 0 {
		k := min(n, width)
		for range k {
			w.WriteByte(s[at])
			if at++; at == len(s) {
				at = 0
			}
		}
		w.WriteByte('\n')
		n -= k
	}
}

func draw(w *bufio.Writer, bases []base, n int) {
	sum := 0.0
	for i := range bases {
		sum += bases[i].p
		bases[i].p = sum
	}
	line := make([]byte, width+1)
	for n > 0 {
		k := min(n, width)
		for i := range k {
			r := random()
			j := 0
			for bases[j].p < r {
				j++
			}
			line[i] = bases[j].c
		}
		line[k] = '\n'
		w.Write(line[:k+1])
		n -= k
	}
}

func main() {
	out, err := os.CreateTemp("", "fasta")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(out.Name())
	w := bufio.NewWriter(out)
	const n = 3000000
	fmt.Fprintln(w, ">ONE")
	repeat(w, "GGCCGGGCGCGGTGGCTCACGCCTGTAATCCCAGCACTTTGG", 2*n)
	fmt.Fprintln(w, ">TWO")
	draw(w, []base{{'a', 0.27}, {'c', 0.12}, {'g', 0.12}, {'t', 0.27},
		{'B', 0.02}, {'D', 0.02}, {'H', 0.02}, {'K', 0.02}, {'M', 0.02},
		{'N', 0.02}, {'R', 0.02}, {'S', 0.02}, {'V', 0.02}, {'W', 0.02},
		{'Y', 0.02}}, 3*n)
	w.Flush()
	info, _ := out.Stat()
	fmt.Println(info.Size(), seed)
}
