// SPDX-License-Identifier: MIT

package testing

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"sync/atomic"
)

// A CoverBlock is a run of statements that are executed together.
type CoverBlock struct {
	Line0 uint32
	Col0  uint16
	Line1 uint32
	Col1  uint16
	Stmts uint16
}

// A Cover has the counters of the files that are measured, with the block that
// each of them stands for.
type Cover struct {
	Mode            string
	Counters        map[string][]uint32
	Blocks          map[string][]CoverBlock
	CoveredPackages string
}

var cover Cover

// RegisterCover tells what is measured; the program that "vole test -cover"
// makes calls it.
func RegisterCover(c Cover) { cover = c }

// CoverMode is set, count or atomic; "" if nothing is measured.
func CoverMode() string { return cover.Mode }

// Coverage is the part of the statements that were executed so far.
func Coverage() float64 {
	done, all := statements()
	if all == 0 {
		return 0
	}
	return float64(done) / float64(all)
}

func statements() (done, all int64) {
	for name, counts := range cover.Counters {
		for i := range counts {
			n := int64(cover.Blocks[name][i].Stmts)
			all += n
			if atomic.LoadUint32(&counts[i]) > 0 {
				done += n
			}
		}
	}
	return
}

// profile is what "go tool cover" reads: a line for each block.
func (c *Cover) profile() string {
	var text strings.Builder
	fmt.Fprintf(&text, "mode: %s\n", c.Mode)
	names := make([]string, 0, len(c.Counters))
	for name := range c.Counters {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		counts, blocks := c.Counters[name], c.Blocks[name]
		order := make([]int, len(counts))
		for i := range order {
			order[i] = i
		}
		sort.Slice(order, func(i, j int) bool { return blocks[order[i]].before(&blocks[order[j]]) })
		for _, i := range order {
			b := &blocks[i]
			fmt.Fprintf(&text, "%s:%d.%d,%d.%d %d %d\n", name, b.Line0, b.Col0, b.Line1, b.Col1,
				b.Stmts, atomic.LoadUint32(&counts[i]))
		}
	}
	return text.String()
}

func (b *CoverBlock) before(c *CoverBlock) bool {
	switch {
	case b.Line0 != c.Line0:
		return b.Line0 < c.Line0
	case b.Col0 != c.Col0:
		return b.Col0 < c.Col0
	case b.Line1 != c.Line1:
		return b.Line1 < c.Line1
	}
	return b.Col1 < c.Col1
}

// report prints how much was executed and writes the profile.
func (c *Cover) report() {
	if opt.coverage != "" {
		f := create(opt.coverage)
		if _, err := f.WriteString(c.profile()); err != nil {
			fmt.Fprintf(os.Stderr, "testing: %s\n", err)
			os.Exit(2)
		}
		f.Close()
	}
	done, all := statements()
	if all == 0 {
		fmt.Println("coverage: [no statements]")
		return
	}
	fmt.Printf("coverage: %.1f%% of statements%s\n", 100*float64(done)/float64(all),
		c.CoveredPackages)
}
