// SPDX-License-Identifier: MIT

// Package metrics reads what vole's runtime counts. What it does not count is
// not among what All describes and has no value, as a name that nobody knows.
package metrics

import (
	"runtime"
	"runtime/debug"
)

// counts is one look at the runtime, for all samples of a Read.
type counts struct {
	mem   runtime.MemStats
	looks int // how often mem was asked for
}

func (c *counts) stats() *runtime.MemStats {
	if c.looks == 0 {
		runtime.ReadMemStats(&c.mem)
		c.looks++
	}
	return &c.mem
}

// less is a - b. The two are counted one after the other, so that b may be a
// little more.
func less(a, b uint64) uint64 { return a - min(a, b) }

var readers = map[string]func(c *counts) uint64{
	"/cgo/go-to-c-calls:calls":       func(*counts) uint64 { return 0 },
	"/gc/cycles/automatic:gc-cycles": (*counts).automatic,
	"/gc/cycles/forced:gc-cycles": func(c *counts) uint64 {
		return uint64(c.stats().NumForcedGC)
	},
	"/gc/cycles/total:gc-cycles": func(c *counts) uint64 {
		return uint64(c.stats().NumGC)
	},
	"/gc/gomemlimit:bytes": func(*counts) uint64 {
		return uint64(debug.SetMemoryLimit(-1))
	},
	"/gc/heap/allocs:bytes":   func(c *counts) uint64 { return c.stats().TotalAlloc },
	"/gc/heap/allocs:objects": func(c *counts) uint64 { return c.stats().Mallocs },
	"/gc/heap/frees:bytes": func(c *counts) uint64 {
		return less(c.stats().TotalAlloc, c.stats().HeapAlloc)
	},
	"/gc/heap/frees:objects":   func(c *counts) uint64 { return c.stats().Frees },
	"/gc/heap/goal:bytes":      func(c *counts) uint64 { return c.stats().NextGC },
	"/gc/heap/objects:objects": func(c *counts) uint64 { return c.stats().HeapObjects },
	"/memory/classes/heap/free:bytes": func(c *counts) uint64 {
		return less(c.stats().HeapIdle, c.stats().HeapReleased)
	},
	"/memory/classes/heap/objects:bytes": func(c *counts) uint64 {
		return c.stats().HeapAlloc
	},
	"/memory/classes/heap/released:bytes": func(c *counts) uint64 {
		return c.stats().HeapReleased
	},
	"/memory/classes/heap/stacks:bytes": func(c *counts) uint64 {
		return c.stats().StackInuse
	},
	"/memory/classes/heap/unused:bytes": func(c *counts) uint64 {
		return less(c.stats().HeapInuse, c.stats().HeapAlloc)
	},
	"/memory/classes/metadata/mspan/inuse:bytes": func(c *counts) uint64 {
		return c.stats().MSpanInuse
	},
	"/memory/classes/metadata/mspan/free:bytes": func(c *counts) uint64 {
		return less(c.stats().MSpanSys, c.stats().MSpanInuse)
	},
	"/memory/classes/metadata/mcache/inuse:bytes": func(c *counts) uint64 {
		return c.stats().MCacheInuse
	},
	"/memory/classes/metadata/mcache/free:bytes": func(c *counts) uint64 {
		return less(c.stats().MCacheSys, c.stats().MCacheInuse)
	},
	"/memory/classes/metadata/other:bytes": func(c *counts) uint64 {
		return c.stats().GCSys
	},
	"/memory/classes/os-stacks:bytes": func(c *counts) uint64 {
		return less(c.stats().StackSys, c.stats().StackInuse)
	},
	"/memory/classes/other:bytes": func(c *counts) uint64 {
		return c.stats().OtherSys
	},
	"/memory/classes/profiling/buckets:bytes": func(c *counts) uint64 {
		return c.stats().BuckHashSys
	},
	"/memory/classes/total:bytes": func(c *counts) uint64 { return c.stats().Sys },
	"/sched/gomaxprocs:threads": func(*counts) uint64 {
		return uint64(runtime.GOMAXPROCS(0))
	},
	"/sched/goroutines:goroutines": func(*counts) uint64 {
		return uint64(runtime.NumGoroutine())
	},
}

func (c *counts) automatic() uint64 {
	return uint64(c.stats().NumGC - c.stats().NumForcedGC)
}

// Read fills in the values of the samples.
func Read(m []Sample) {
	var c counts
	for i := range m {
		m[i].Value = Value{}
		if read := readers[m[i].Name]; read != nil {
			m[i].Value = Value{kind: KindUint64, scalar: read(&c)}
		}
	}
}

// All describes what Read gives values of.
func All() []Description {
	var known []Description
	for _, d := range allDesc {
		if readers[d.Name] != nil {
			known = append(known, d)
		}
	}
	return known
}
