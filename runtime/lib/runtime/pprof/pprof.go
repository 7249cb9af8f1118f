// SPDX-License-Identifier: MIT

// Package pprof writes profiles of the running program for the pprof tool.
// The runtime collects and formats them (native.c); here is what needs Go:
// values as keys, writers, labels.
package pprof

import (
	"errors"
	"internal/rt"
	"io"
	"runtime"
	"sync"
	"unsafe"
)

// A Profile is a set of stacks that led to instances of some event. Those of
// the runtime are goroutine, heap, allocs, threadcreate, block and mutex; a
// program makes its own with NewProfile.
type Profile struct {
	name string
	id   int // the runtime's number for it; -1: it collects this one itself

	mu   sync.Mutex
	keys map[any]int // where the stack of a value is
}

// table is the profiles that have been asked for or made.
var table struct {
	mu sync.Mutex
	m  map[string]*Profile
}

// builtin returns the name of the i-th profile of the runtime, "" after the
// last.
//
//race:none
func builtin(i int) string

// register makes a profile of the program's own and returns its number.
//
//race:none
func register(name string) int

// insert stores a stack in a profile and returns its place; remove takes it
// out again.
//
//race:reads pcs
func insert(id int, pcs []uintptr) int

//race:none
func remove(id, place int)

// count returns the number of stacks in a profile.
//
//race:none
func count(name string) int

// format writes a profile and returns it; it is not ok where the runtime has
// no memory for it.
//
//race:none
func format(name string, debug int) (text []byte, ok bool)

// lockTable locks table and fills it the first time.
func lockTable() {
	table.mu.Lock()
	if table.m != nil {
		return
	}
	table.m = make(map[string]*Profile)
	for i := 0; ; i++ {
		name := builtin(i)
		if name == "" {
			return
		}
		table.m[name] = &Profile{name: name, id: -1}
	}
}

// NewProfile makes a profile with a name that no other has.
func NewProfile(name string) *Profile {
	lockTable()
	defer table.mu.Unlock()
	if name == "" {
		panic("pprof: NewProfile with empty name")
	}
	if table.m[name] != nil {
		panic("pprof: NewProfile name already in use: " + name)
	}
	p := &Profile{name: name, id: register(name), keys: make(map[any]int)}
	table.m[name] = p
	return p
}

// Lookup returns the profile with a name, nil if there is none.
func Lookup(name string) *Profile {
	lockTable()
	defer table.mu.Unlock()
	return table.m[name]
}

// Profiles returns all profiles, sorted by name.
func Profiles() []*Profile {
	lockTable()
	defer table.mu.Unlock()
	all := make([]*Profile, 0, len(table.m))
	for _, p := range table.m {
		i := len(all)
		all = append(all, p)
		for i > 0 && all[i-1].name > p.name {
			all[i] = all[i-1]
			i--
		}
		all[i] = p
	}
	return all
}

// Name returns the profile's name.
func (p *Profile) Name() string { return p.name }

// Count returns the number of stacks in the profile.
func (p *Profile) Count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.keys != nil || p.name == "" {
		return len(p.keys)
	}
	return count(p.name)
}

// maxDepth is how many frames of a stack Add keeps.
const maxDepth = 32

// Add adds the current stack under value, which must not be in the profile.
// skip tells how many frames to leave out: 0 begins with Add itself.
func (p *Profile) Add(value any, skip int) {
	if p.name == "" {
		panic("pprof: use of uninitialized Profile")
	}
	if p.keys == nil {
		panic("pprof: Add called on built-in Profile " + p.name)
	}
	var pcs [maxDepth]uintptr
	n := runtime.Callers(skip+1, pcs[:])
	if n > 1 && runtime.FuncForPC(pcs[n-1]).Name() == "runtime.goexit" {
		n-- // profiles do not show it
	}
	if n == 0 {
		// Nothing is left of the stack.
		f := lostProfileEvent
		pcs[0] = rt.FuncPC(*(*unsafe.Pointer)(unsafe.Pointer(&f)))
		n = 1
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, has := p.keys[value]; has {
		panic("pprof: Profile.Add of duplicate value")
	}
	p.keys[value] = insert(p.id, pcs[:n])
}

// lostProfileEvent stands for a stack that could not be had.
func lostProfileEvent() { lostProfileEvent() }

// Remove removes the stack under value, if there is one.
func (p *Profile) Remove(value any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if place, has := p.keys[value]; has {
		delete(p.keys, value)
		remove(p.id, place)
	}
}

// WriteTo writes the profile: as a compressed protocol buffer for debug 0, as
// text for 1, and, of the goroutine profile, as a dump of all stacks for 2.
func (p *Profile) WriteTo(w io.Writer, debug int) error {
	if p.name == "" {
		panic("pprof: use of zero Profile")
	}
	return write(w, p.name, debug)
}

var errMemory = errors.New("pprof: out of memory")

func write(w io.Writer, name string, debug int) error {
	text, ok := format(name, debug)
	if !ok {
		return errMemory
	}
	_, err := w.Write(text)
	return err
}

// WriteHeapProfile writes the heap profile.
func WriteHeapProfile(w io.Writer) error { return write(w, "heap", 0) }

// cpu is the CPU profile that this package takes.
var cpu struct {
	mu sync.Mutex
	on bool
	w  io.Writer
}

// startCPU starts a CPU profile; it is false while one is taken. stopCPU ends
// it and returns it as a compressed protocol buffer.
//
//race:none
func startCPU(hz int) bool

//race:none
func stopCPU() (text []byte, ok bool)

// hz is how many times a second of CPU time a profile takes a sample.
const hz = 100

// StartCPUProfile starts a CPU profile, which StopCPUProfile writes to w.
func StartCPUProfile(w io.Writer) error {
	cpu.mu.Lock()
	defer cpu.mu.Unlock()
	if cpu.on || !startCPU(hz) {
		return errors.New("cpu profiling already in use")
	}
	cpu.on, cpu.w = true, w
	return nil
}

// StopCPUProfile ends the CPU profile, if there is one, and returns when it
// has been written.
func StopCPUProfile() {
	cpu.mu.Lock()
	defer cpu.mu.Unlock()
	if !cpu.on {
		return
	}
	w := cpu.w
	cpu.on, cpu.w = false, nil
	if text, ok := stopCPU(); ok {
		w.Write(text)
	}
}
