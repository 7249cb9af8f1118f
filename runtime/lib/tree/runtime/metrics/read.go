// SPDX-License-Identifier: MIT

// Package metrics reads what vole's runtime counts. What it does not count is
// not among what All describes and has no value, as a name that nobody knows.
package metrics

import (
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"unsafe"
)

// classes is how many sizes of objects the heap has; the first stands for those
// that have pages of their own.
const classes = 68

// heapCounts is how many objects of each size were allocated, and freed, and
// how many more of a few bytes share one. The slices have a place for each.
//
//race:writes sizes, writes allocs, writes frees
func heapCounts(sizes []uint32, allocs, frees []uint64) (tiny uint64)

// gcPercent is GOGC, negative for off, and gcMarked how many bytes the last
// collection has found alive.
//
//race:none
func gcPercent() int

//race:none
func gcMarked() uint64

// counts is one look at the runtime, for all samples of a Read.
type counts struct {
	mem   runtime.MemStats
	looks int // how often mem was asked for

	counted       bool // the rest was asked for
	sizes         [classes]uint32
	allocs, frees [classes]uint64
	tiny          uint64
}

func (c *counts) bySize() *counts {
	if !c.counted {
		c.tiny = heapCounts(c.sizes[:], c.allocs[:], c.frees[:])
		c.counted = true
	}
	return c
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
	"/gc/gogc:percent":      func(*counts) uint64 { return uint64(gcPercent()) },
	"/gc/heap/live:bytes":   func(*counts) uint64 { return gcMarked() },
	"/gc/heap/tiny/allocs:objects": func(c *counts) uint64 {
		return c.bySize().tiny
	},
	// Nothing limits the collector's share of the processors.
	"/gc/limiter/last-enabled:gc-cycle": func(*counts) uint64 { return 0 },
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

var histograms = map[string]func(c *counts) *[classes]uint64{
	"/gc/heap/allocs-by-size:bytes": func(c *counts) *[classes]uint64 {
		return &c.bySize().allocs
	},
	"/gc/heap/frees-by-size:bytes": func(c *counts) *[classes]uint64 {
		return &c.bySize().frees
	},
}

// The limits of what is counted by size: an object of n bytes is below n+1.
func (c *counts) limits() []float64 {
	list := []float64{1}
	for _, size := range c.sizes[1:] {
		list = append(list, float64(size)+1)
	}
	return append(list, math.Inf(1))
}

// fill fills in a histogram, in the memory of the last one where there is any.
func (v *Value) fill(c *counts, n *[classes]uint64) {
	h := (*Float64Histogram)(v.pointer)
	if v.kind != KindFloat64Histogram || h == nil {
		h = new(Float64Histogram)
		*v = Value{kind: KindFloat64Histogram, pointer: unsafe.Pointer(h)}
	}
	if len(h.Buckets) != classes+1 {
		h.Buckets = c.limits()
	}
	h.Counts = append(append(h.Counts[:0], n[1:]...), n[0])
}

// Read fills in the values of the samples.
func Read(m []Sample) {
	var c counts
	for i := range m {
		name := m[i].Name
		if read := readers[name]; read != nil {
			m[i].Value = Value{kind: KindUint64, scalar: read(&c)}
		} else if read := histograms[name]; read != nil {
			m[i].Value.fill(&c, read(&c))
		} else if strings.HasPrefix(name, "/godebug/") && describes(name) {
			m[i].Value = Value{kind: KindUint64, scalar: changes(name)}
		} else {
			m[i].Value = Value{}
		}
	}
}

func describes(name string) bool {
	for _, d := range allDesc {
		if d.Name == name {
			return true
		}
	}
	return false
}

// All describes what Read gives values of.
func All() []Description {
	var known []Description
	for _, d := range allDesc {
		if readers[d.Name] != nil || histograms[d.Name] != nil ||
			strings.HasPrefix(d.Name, "/godebug/") {
			known = append(known, d)
		}
	}
	return known
}
