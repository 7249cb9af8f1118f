// SPDX-License-Identifier: MIT

// The goroutine statistics of the installed Go's internal/trace, as an
// oracle.  Built by gotool.py next to a copy of that package.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sort"

	"stats/trace"
)

func main() {
	f, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	r, err := trace.NewReader(bufio.NewReader(f))
	if err != nil {
		panic(err)
	}
	s := trace.NewSummarizer()
	for {
		ev, err := r.ReadEvent()
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		s.Event(&ev)
	}
	gs := s.Finalize().Goroutines
	ids := []int{}
	for id := range gs {
		ids = append(ids, int(id))
	}
	sort.Ints(ids)
	for _, id := range ids {
		g := gs[trace.GoID(id)]
		block := int64(0)
		for _, d := range g.BlockTimeByReason {
			block += int64(d)
		}
		fmt.Println(id, int64(g.ExecTime), int64(g.SchedWaitTime), block,
			int64(g.SyscallTime+g.SyscallBlockTime),
			int64(g.RangeTime["GC mark assist"]), g.Name)
	}
}
