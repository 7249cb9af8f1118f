// SPDX-License-Identifier: MIT

// Conway's game of life on a torus, each generation computed by a goroutine
// per strip.  A glider crosses a small field:
//
//	vole run examples/life.go
package main

import (
	"fmt"
	"strings"
	"sync"
)

const (
	width  = 40
	height = 16
	strips = 4
)

type field [height][width]bool

func (f *field) alive(y, x int) bool {
	return f[(y+height)%height][(x+width)%width]
}

func (f *field) next(y, x int) bool {
	n := 0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if (dy != 0 || dx != 0) && f.alive(y+dy, x+dx) {
				n++
			}
		}
	}
	return n == 3 || n == 2 && f.alive(y, x)
}

func step(from *field) *field {
	to := new(field)
	var wg sync.WaitGroup
	for s := range strips {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for y := s * height / strips; y < (s+1)*height/strips; y++ {
				for x := range width {
					to[y][x] = from.next(y, x)
				}
			}
		}()
	}
	wg.Wait()
	return to
}

func (f *field) String() string {
	var b strings.Builder
	for _, row := range f {
		for _, cell := range row {
			if cell {
				b.WriteString("#")
			} else {
				b.WriteString(".")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (f *field) plant(y, x int, pattern ...string) {
	for dy, row := range pattern {
		for dx, c := range row {
			f[(y+dy)%height][(x+dx)%width] = c == '#'
		}
	}
}

func main() {
	f := new(field)
	f.plant(1, 1, ".#.", "..#", "###")
	f.plant(5, 22, ".##", "##.", ".#.")
	for gen := 0; gen <= 100; gen++ {
		if gen%50 == 0 {
			fmt.Printf("generation %d\n%v\n", gen, f)
		}
		f = step(f)
	}
}
