// run

// Profiles of the program's own: values as keys, counts, names, panics.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/pprof"
	"strings"
)

type conn struct{ n int }

var conns = pprof.NewProfile("example.com/conns")

func open(n int) *conn {
	c := &conn{n}
	conns.Add(c, 0)
	return c
}

func outer(n int) *conn { return open(n) }

func skipping(n int) {
	conns.Add(n, 1)
}

// show prints the profile without what depends on addresses and on the
// library: counts, and the program's frames with their lines.
func show(p *pprof.Profile) {
	var b bytes.Buffer
	if err := p.WriteTo(&b, 1); err != nil {
		fmt.Println(err)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		switch {
		case strings.HasPrefix(line, "#\t"):
			f := strings.Fields(line)
			if len(f) == 4 && strings.HasPrefix(f[2], "main.") {
				at := strings.LastIndex(f[3], "/")
				plus := strings.LastIndex(f[2], "+")
				fmt.Println("  ", f[2][:plus], f[3][at+1:])
			}
		case strings.Contains(line, " @ "):
			fmt.Println(line[:strings.Index(line, " @")], "of a stack")
		case line != "":
			fmt.Println(line)
		}
	}
}

func try(what string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("%s: %v\n", what, r)
		} else {
			fmt.Println(what, "went well")
		}
	}()
	f()
}

type failing struct{}

func (failing) Write(p []byte) (int, error) { return 0, errors.New("no room") }

func main() {
	fmt.Println(conns.Name(), conns.Count())
	var all []*conn
	for i := 0; i < 5; i++ {
		all = append(all, open(i))
	}
	for i := 0; i < 3; i++ {
		all = append(all, outer(i))
	}
	fmt.Println(conns.Count())
	show(conns)
	for _, c := range all[:6] {
		conns.Remove(c)
	}
	conns.Remove(all[0]) // not there any more
	conns.Remove("never there")
	fmt.Println(conns.Count())
	show(conns)
	conns.Remove(all[6])
	conns.Remove(all[7])
	skipping(1)
	show(conns)
	conns.Remove(1)
	conns.Add(2.5, 1000) // nothing is left of the stack
	fmt.Println(conns.Count())
	conns.Remove(2.5)
	show(conns)

	for _, p := range pprof.Profiles() {
		if p.Name() != "goroutineleak" { // Go 1.26: only where asked for
			fmt.Println(p.Name())
		}
	}
	fmt.Println(pprof.Lookup("example.com/conns") == conns)
	fmt.Println(pprof.Lookup("nothing") == nil)
	fmt.Println(pprof.Lookup("heap").Name(), pprof.Lookup("goroutine").Count())

	try("empty name", func() { pprof.NewProfile("") })
	try("name of the runtime's", func() { pprof.NewProfile("heap") })
	try("name in use", func() { pprof.NewProfile("example.com/conns") })
	conns.Add("twice", 0)
	try("twice", func() { conns.Add("twice", 0) })
	try("unhashable", func() { conns.Add([]int{1}, 0) })
	try("Add to heap", func() { pprof.Lookup("heap").Add(1, 0) })
	try("Remove from heap", func() { pprof.Lookup("heap").Remove(1) })
	try("zero Add", func() { new(pprof.Profile).Add(1, 0) })
	try("zero Remove", func() { new(pprof.Profile).Remove(1) })
	try("zero Count", func() { fmt.Println(new(pprof.Profile).Count()) })
	try("zero WriteTo", func() { new(pprof.Profile).WriteTo(failing{}, 0) })
	for _, name := range []string{"allocs", "block", "goroutine", "heap",
		"mutex", "threadcreate", "example.com/conns"} {
		fmt.Println(name, pprof.Lookup(name).WriteTo(failing{}, 0) != nil)
		var b bytes.Buffer
		err := pprof.Lookup(name).WriteTo(&b, 0)
		fmt.Println(err, b.Len() > 20, b.Bytes()[0] == 0x1f, b.Bytes()[1] == 0x8b)
	}
	fmt.Println(pprof.StartCPUProfile(failing{}))
	fmt.Println(pprof.StartCPUProfile(failing{}))
	pprof.StopCPUProfile()
	pprof.StopCPUProfile()
	var b bytes.Buffer
	fmt.Println(pprof.StartCPUProfile(&b))
	pprof.StopCPUProfile()
	fmt.Println(b.Len() > 20, b.Bytes()[0] == 0x1f)
}
