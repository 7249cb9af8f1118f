// run

// With a rate of 1 the heap profile is the exact live set after a collection,
// by line, and the allocs profile counts every allocation.

package main

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
)

type small struct {
	next *small
	pad  [7]int
}

type big struct {
	p   *big
	pad [4095]byte
	end byte
}

var (
	keepSmall *small
	keepBig   []*big
	keepMaps  []map[int]*small
	sink      *small
)

func makeSmall(n int) {
	for i := 0; i < n; i++ {
		keepSmall = &small{next: keepSmall}
	}
}

func dropSmall(n int) {
	for i := 0; i < n; i++ {
		sink = &small{}
	}
	sink = nil
}

func makeBig(n int) {
	for i := 0; i < n; i++ {
		keepBig = append(keepBig, new(big)) // and the slices
	}
}

func halve() {
	for i := range keepBig {
		if i%2 == 1 {
			keepBig[i] = nil
		}
	}
}

func strs(n int) []string {
	var s []string
	for i := 0; i < n; i++ {
		s = append(s, strings.Repeat("x", 1000+i))
	}
	return s
}

// line is the innermost line of the program in a stack.
func line(stk []uintptr) string {
	frames := runtime.CallersFrames(stk)
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.") {
			return fmt.Sprintf("%s:%d", f.Function[5:], f.Line)
		}
		if !more {
			return ""
		}
	}
}

type sums struct{ alloc, inuse, allocBytes, inuseBytes int64 }

func profile() map[string]*sums {
	var p []runtime.MemProfileRecord
	n, ok := runtime.MemProfile(nil, true)
	for !ok {
		p = make([]runtime.MemProfileRecord, n+50)
		n, ok = runtime.MemProfile(p, true)
	}
	all := map[string]*sums{}
	for i := range p[:n] {
		r := &p[i]
		l := line(r.Stack())
		if all[l] == nil {
			all[l] = new(sums)
		}
		s := all[l]
		s.alloc += r.AllocObjects
		s.allocBytes += r.AllocBytes
		s.inuse += r.InUseObjects()
		s.inuseBytes += r.InUseBytes()
	}
	return all
}

// show prints the lines of the functions that allocate what is known.
func show(all map[string]*sums, fns ...string) {
	var keys []string
	for k := range all {
		for _, f := range fns {
			if strings.HasPrefix(k, f+":") {
				keys = append(keys, k)
			}
		}
	}
	sort.Strings(keys)
	for _, k := range keys {
		s := all[k]
		fmt.Println(k, "alloc", s.alloc, s.allocBytes, "inuse", s.inuse, s.inuseBytes)
	}
}

func total(all map[string]*sums, fn string) (n int64) {
	for k, s := range all {
		if strings.HasPrefix(k, fn+":") {
			n += s.alloc
		}
	}
	return n
}

func main() {
	runtime.MemProfileRate = 1
	makeSmall(1000)
	dropSmall(500)
	runtime.GC()
	show(profile(), "makeSmall", "dropSmall")
	makeSmall(234)
	dropSmall(766)
	runtime.GC()
	show(profile(), "makeSmall", "dropSmall")

	keepBig = make([]*big, 0, 1000)
	makeBig(1000)
	runtime.GC()
	show(profile(), "makeBig")
	halve()
	runtime.GC()
	show(profile(), "makeBig")

	keepSmall = nil
	keepBig = nil
	runtime.GC()
	show(profile(), "makeSmall", "makeBig")

	// Nothing is recorded while the rate is 0 (but for what was chosen before);
	// what there is stays.
	runtime.MemProfileRate = 0
	makeSmall(100)
	runtime.GC()
	before := total(profile(), "makeSmall")
	fmt.Println(before == 1234 || before == 1235)
	runtime.MemProfileRate = 1
	makeSmall(10)
	runtime.GC()
	fmt.Println(total(profile(), "makeSmall") - before)

	// Without inuseZero, lines of which nothing is left are not there.
	keepSmall = nil
	runtime.GC()
	var p [1000]runtime.MemProfileRecord
	n, ok := runtime.MemProfile(p[:], false)
	zero := 0
	for i := range p[:n] {
		if p[i].InUseBytes() == 0 {
			zero++
		}
	}
	fmt.Println(ok, n > 0, zero)
	m, ok := runtime.MemProfile(p[:1], true)
	fmt.Println(m > n, ok)
}
