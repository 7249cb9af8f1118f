// SPDX-License-Identifier: MIT

// The parser of Go 1.19 as an oracle: prints what it makes of a trace.  Built
// by go_oracle.py next to a copy of that release's internal/trace.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strconv"
	"time"

	"oracle/trace"
)

func main() {
	f, err := os.Open(os.Args[2])
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	r, err := trace.Parse(bufio.NewReader(f), "")
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	switch os.Args[1] {
	case "events":
		for _, e := range r.Events {
			fmt.Println(e.Ts, trace.EventDescriptions[e.Type].Name, e.G, e.Off)
		}
	case "mmu":
		flags := trace.UtilSTW | trace.UtilBackground | trace.UtilAssist
		curve := trace.NewMMUCurve(trace.MutatorUtilization(r.Events, flags))
		for _, arg := range os.Args[3:] {
			ns, _ := strconv.ParseInt(arg, 10, 64)
			fmt.Println(ns, curve.MMU(time.Duration(ns)))
		}
	case "goroutines":
		gs := trace.GoroutineStats(r.Events)
		ids := []uint64{}
		for id := range gs {
			ids = append(ids, id)
		}
		sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
		for _, id := range ids {
			g := gs[id]
			fmt.Println(id, g.ExecTime, g.SchedWaitTime, g.IOTime,
				g.BlockTime, g.SyscallTime, g.Name)
		}
	}
}
