# SPDX-License-Identifier: MIT
"""What run_tool.py gives to the two programs: sources, traces and things that
are neither."""

HELLO = b'package main\n\nfunc main() { println("hello") }\n'
# Methods whose selectors have numbers that do not fit into 16 bits, called in
# each way there is; the library's come behind them.
MANY_METHODS = b'''import (
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
)

type T int

func (t T) Z(s string) (string, error) {
	switch s {
	case "p":
		panic("Z")
	case "x", "y":
		fmt.Println(s)
	}
	return s + fmt.Sprint(int(t)), errors.New("none")
}

type E struct{ I }
type P struct{ *E }
type J interface{ Z(string) (string, error) }

func g[X J](x X) string { s, _ := x.Z("g"); return s }

type byLen []string

func (b byLen) Len() int           { return len(b) }
func (b byLen) Less(i, j int) bool { return len(b[i]) < len(b[j]) }
func (b byLen) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type myErr struct{}

func (myErr) Error() string { return "mine" }
func (myErr) Unwrap() error { return io.EOF }

func try(i I, s string) {
	defer func() { fmt.Println(recover()) }()
	i.Z(s)
}

func main() {
	var i I = T(1)
	fmt.Println(sum(i))
	fmt.Println(i.Z("a"))
	var e I = E{i}
	fmt.Println(e.Z("b"))
	e = P{&E{i}}
	fmt.Println(e.Z("c"))
	f := i.Z
	fmt.Println(f("d"))
	f2 := I.Z
	fmt.Println(f2(e, "e"))
	f3 := E.Z
	fmt.Println(f3(E{i}, "f"))
	fmt.Println(g(i), g(T(4)), g(P{&E{i}}))
	b := byLen{"ccc", "a", "bb"}
	sort.Sort(b)
	sort.Sort(sort.Reverse(b))
	fmt.Println(b)
	fmt.Println(errors.Is(fmt.Errorf("x: %w", myErr{}), io.EOF), myErr{})
	var sb strings.Builder
	fmt.Fprintf(&sb, "%v", i)
	io.Copy(&sb, strings.NewReader("copied"))
	fmt.Println(sb.String())
	try(i, "p")
	try(nil, "q")
	c := make(chan bool)
	defer i.Z("x")
	go func() { e.Z("y"); c <- true }()
	<-c
	go i.Z("z")
}

'''
PRINTS = (b'package main\n\nimport "fmt"\n\nfunc main() {\n'
          b'\tfor i := 0; i < 100000; i++ {\n\t\tfmt.Println("line", i)\n'
          b'\t}\n}\n')
WRITES = (b'package main\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc main() {\n'
          b'\tif _, err := fmt.Println("x"); err != nil {\n'
          b'\t\tfmt.Fprintln(os.Stderr, "write failed:", err)\n'
          b'\t\tos.Exit(7)\n\t}\n}\n')
RECURSE = b'package main\n\nfunc f(n int) int { return f(n+1) + 1 }\n\n' \
          b'func main() { println(f(0)) }\n'
EAT = (b'package main\n\nvar keep [][]byte\n\nfunc main() {\n'
       b'\tfor {\n\t\tb := make([]byte, 1<<20)\n'
       b'\t\tfor i := range b {\n\t\t\tb[i] = 1\n\t\t}\n'
       b'\t\tkeep = append(keep, b)\n\t}\n}\n')
SMALL = (b'package main\n\ntype n struct{ next *n; pad [5]int }\n\n'
         b'var head *n\n\nfunc main() {\n\tfor {\n\t\thead = &n{next: head}\n'
         b'\t}\n}\n')
SPAWN = (b'package main\n\nfunc main() {\n\tc := make(chan int)\n'
         b'\tfor {\n\t\tgo func() { <-c }()\n\t}\n}\n')
TRACED = (b'package main\n\nimport "time"\n\nfunc main() {\n'
          b'\tc := make(chan int)\n\tgo func() {\n\t\tfor i := 0; ; i++ {\n'
          b'\t\t\tc <- i\n\t\t}\n\t}()\n\tt := time.Now()\n'
          b'\tprintln("ready")\n\tfor time.Since(t) < 30*time.Second {\n'
          b'\t\t<-c\n\t}\n}\n')
CHANMAKE = (b'package main\n\nfunc main() {\n\tvar keep []chan [100]int\n'
            b'\tfor {\n\t\tkeep = append(keep, make(chan [100]int, 100))\n'
            b'\t}\n}\n')
HUGE_ALLOC = b'package main\n\nvar n = 1 << 50\n\nfunc main() {\n' \
             b'\tprintln(len(make([]byte, n)))\n}\n'


# Prints its number and what is shared, mapped and may be run.
MAPPED = b'''package main

import (
	"os"
	"strings"
)

func f() int { return os.Getpid() }

func main() {
	println(f())
	b, _ := os.ReadFile("/proc/self/maps")
	for _, line := range strings.Split(string(b), "\\n") {
		if strings.Contains(line, " r-xs ") {
			println(line)
		}
	}
}
'''

FAULTS = b'''package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"unsafe"
)

type pair struct{ a, b int }

func load(p uintptr) int { return (*pair)(unsafe.Pointer(p)).b }

// An operation that machine code leaves to a function.
func runes(p uintptr) (n int) {
	for _, c := range unsafe.String((*byte)(unsafe.Pointer(p)), 5) {
		n += int(c)
	}
	return n
}

func try(f func(uintptr) int, p uintptr) {
	defer func() {
		_, ok := recover().(error)
		fmt.Println("recovered", ok)
	}()
	f(p)
}

func main() {
	defer fmt.Println("deferred")
	switch os.Args[1] {
	case "panic":
		debug.SetPanicOnFault(true)
		for i := 0; i < 3; i++ {
			try(load, 0x123456)
			try(runes, 0x123456)
		}
	case "other":
		done := make(chan int)
		go func() { done <- load(0x123456) }()
		<-done
	case "native":
		b := unsafe.Slice((*byte)(unsafe.Pointer(uintptr(0x99999000))), 100)
		copy(make([]byte, 100), b)
	}
	load(0x123456)
}
'''


HANDS_OVER = '''c := make(chan int)
go func() {
	for i := 0; i < 1000000; i++ {
		c <- i
	}
	close(c)
}()
for range c {
}
println("done")'''


TRACEME = (b'package main\n\nimport (\n\t"sync"\n\t"time"\n)\n\n'
           b'func main() {\n\tvar wg sync.WaitGroup\n\tc := make(chan int)\n'
           b'\tfor i := 0; i < 5; i++ {\n\t\twg.Add(1)\n'
           b'\t\tgo func() { defer wg.Done(); c <- i }()\n\t}\n'
           b'\tfor i := 0; i < 5; i++ {\n\t\t<-c\n\t}\n'
           b'\ttime.Sleep(time.Millisecond)\n\twg.Wait()\n}\n')


def body(text):
    return b'package main\n\nfunc main() {\n' + text + b'\n}\n'


def files():
    """Every input file, by name; made lazily since some are large."""
    nest = 100000
    return {
        'hello.go': lambda: HELLO,
        '-dash.go': lambda: HELLO,
        'shebang.go': lambda: b'#!/usr/bin/env -S vole run\n' + HELLO,
        'noimport.go': lambda: b'package main\n\nfunc main() { fmt.Print() }\n',
        'empty.go': lambda: b'',
        'blank.go': lambda: b' \n\n\t\n',
        'binary.go': lambda: bytes(range(256)) * 40,
        'zeros.go': lambda: b'\0' * 5000,
        'nul.go': lambda: HELLO.replace(b'hello', b'he\0llo'),
        'badutf8.go': lambda: HELLO.replace(b'hello', b'he\xff\xfello'),
        'bom.go': lambda: b'\xef\xbb\xbf' + HELLO,
        'bommid.go': lambda: HELLO + b'\xef\xbb\xbfvar x int\n',
        'crlf.go': lambda: HELLO.replace(b'\n', b'\r\n'),
        'nonl.go': lambda: HELLO.rstrip(b'\n'),
        'nopackage.go': lambda: b'func main() {}\n',
        'nomain.go': lambda: b'package main\n\nvar x = 1\n',
        'lib.go': lambda: b'package lib\n\nfunc F() {}\n',
        'mainargs.go': lambda: b'package main\n\nfunc main(x int) {}\n',
        'badimport.go': lambda: b'package main\n\nimport "no/such/package"\n'
                                b'\nfunc main() { pkg.F() }\n',
        'selfimport.go': lambda: b'package main\n\nimport "main"\n'
                                 b'\nfunc main() {}\n',
        'relimport.go': lambda: b'package main\n\nimport "./x"\n'
                                b'\nfunc main() {}\n',
        'unterm_string.go': lambda: body(b'println("abc'),
        'unterm_raw.go': lambda: body(b'println(`abc'),
        'unterm_rune.go': lambda: body(b"println('a"),
        'unterm_comment.go': lambda: body(b'/* never closed'),
        'unterm_brace.go': lambda: b'package main\n\nfunc main() {\n',
        'unterm_paren.go': lambda: body(b'println((((1'),
        'unterm_bracket.go': lambda: body(b'var a [5'),
        'unterm_import.go': lambda: b'package main\n\nimport (\n\t"fmt"\n',
        'unterm_struct.go': lambda: b'package main\n\ntype T struct {\n\ta',
        'unterm_escape.go': lambda: body(b'println("\\'),
        'parens.go': lambda: body(b'println(' + b'(' * nest + b'1' +
                                  b')' * nest + b')'),
        'parens_open.go': lambda: body(b'println(' + b'(' * nest),
        'brackets.go': lambda: body(b'var x ' + b'[]' * nest + b'int; _ = x'),
        'brackets_open.go': lambda: body(b'var x ' + b'[' * nest),
        'braces.go': lambda: body(b'{' * nest + b'}' * nest),
        'unary.go': lambda: body(b'println(' + b'- ' * nest + b'1)'),
        'deepest.go': lambda: body(b'x := true; println(' + b'!' * 20000 +
                                   b'x)'),
        'nots.go': lambda: body(b'println(' + b'!' * 20000 + b'true)'),
        'stars.go': lambda: body(b'var x ' + b'*' * nest + b'int; _ = x'),
        'funcs.go': lambda: body(b'x := ' + b'func() { ' * nest +
                                 b'}()' * (nest - 1) + b'}; x()'),
        'ifs.go': lambda: body(b'if true {' * nest + b'}' * nest),
        'elses.go': lambda: body(b'if false {} ' +
                                 b'else if false {} ' * nest),
        'plus.go': lambda: body(b'println(1' + b'+1' * nest + b')'),
        'concat.go': lambda: body(b'println(len("a"' + b'+"a"' * 20000 +
                                  b'))'),
        'composite.go': lambda: body(b'x := ' + b'[]interface{}{' * nest +
                                     b'}' * nest + b'; _ = x'),
        'calls.go': lambda: b'package main\n\nfunc f(n int) int { return n }'
                            b'\n\nfunc main() { println(' + b'f(' * nest +
                            b'1' + b')' * nest + b') }\n',
        'selectors.go': lambda: body(b'x := 1; x' + b'.y' * nest),
        'chans.go': lambda: body(b'var x ' + b'chan ' * nest +
                                  b'int; _ = x'),
        'big.go': lambda: b'package main\n\nfunc main() { println("big") }\n'
                          + (b'// ' + b'x' * 98 + b'\n') * 520000,
        'bigdecl.go': lambda: b'package main\n\n' + b''.join(
            b'func f%d(x int) int { return x + %d }\n' % (i, i)
            for i in range(100000)) + b'func main() { println(f99999(1)) }\n',
        'bigline.go': lambda: body(b'println(len("' + b'x' * (5 << 20) +
                                   b'"))'),
        'biglit.go': lambda: b'package main\n\nvar t = []int{' + b''.join(
            b'%d,' % i for i in range(200000)) + b'}\n\n'
            b'func main() { println(len(t), t[199999]) }\n',
        'bigmethods.go': lambda: b'package main\n\n' + MANY_METHODS +
        b'type I interface {\n' + b''.join(
            b'M%d() int\n' % i for i in range(66000)) +
        b'Z(string) (string, error)\n}\n' + b''.join(
            b'func (t T) M%d() int { return %d }\n' % (i, i)
            for i in range(66000)) +
        b'func sum(i I) (s int) {\n' + b''.join(
            b's += i.M%d()\n' % i for i in range(66000)) + b'return\n}\n',
        'bigident.go': lambda: body(b'var ' + b'v' * 100000 + b' int'),
        'bignum.go': lambda: body(b'const x = ' + b'9' * 50000 +
                                  b'; println(x > 0)'),
        'bigshift.go': lambda: body(b'const x = 1 << 1000000000; _ = x'),
        'bigexp.go': lambda: body(b'const x = 1e1000000000; println(x)'),
        'bigarray.go': lambda: body(b'var a [1 << 60]int; _ = a'),
        'bigarray2.go': lambda: body(b'var a [1 << 62][1 << 62]int; _ = a'),
        'bigframe.go': lambda: body(b'var a [1 << 27]int; a[5] = 3; '
                                    b'println(a[5], len(a))'),
        'manylocals.go': lambda: body(
            b'type t struct { x, y uint8 }\n' + b''.join(
                b'a%d, b%d := %d, "s%d"; var c%d t; c%d.y = %d\n' %
                (i, i, i, i, i, i, i % 256) for i in range(25000)) +
            b'sum, n, m := 0, 0, 0\nfor range 2 {\n' + b''.join(
                b'sum += a%d; n += len(b%d); m += int(c%d.x + c%d.y); '
                b'a%d++; c%d.x = 1\n' % (i, i, i, i, i, i)
                for i in range(25000)) +
            b'}\nf := func() int { return a24999 + sum }\n'
            b'a1, a24998 = a24998, a1\n'
            b'println(sum, n, m, f(), a1, a24998, b24997, c24996.y)'),
        'rectype.go': lambda: b'package main\n\ntype T struct{ t T }\n\n'
                              b'func main() {}\n',
        'rectype2.go': lambda: b'package main\n\ntype A [2]B\ntype B struct{'
                               b' a A }\n\nfunc main() {}\n',
        'reciface.go': lambda: b'package main\n\ntype I interface{ I }\n\n'
                               b'func main() {}\n',
        'recalias.go': lambda: b'package main\n\ntype A = B\ntype B = A\n\n'
                               b'func main() {}\n',
        'recarray.go': lambda: b'package main\n\ntype T [len(x)]int\n\n'
                               b'var x T\n\nfunc main() {}\n',
        'initcycle.go': lambda: b'package main\n\nvar a = f()\n\n'
                                b'func f() int { return a }\n\n'
                                b'func main() {}\n',
        'constcycle.go': lambda: b'package main\n\nconst a = b\n'
                                 b'const b = a\n\nfunc main() {}\n',
        'manyerrors.go': lambda: body(b'x = 1\n' * 5000),
        'generic.go': lambda: b'package main\n\nfunc f[T any](x T) T '
                              b'{ return x }\n\nfunc main() { println(f(1)) }'
                              b'\n',
        'garbage.go': lambda: body(b')]}{[(;:=,.<-+*&^%!~@#$?\\'),
        'runtime.go': lambda: body(b'var a []int; println(a[5])'),
        'exit.go': lambda: b'package main\n\nimport "os"\n\n'
                           b'func main() { os.Exit(300 % 256) }\n',
        'args.go': lambda: b'package main\n\nimport "os"\n\nfunc main() {\n'
                           b'\tfor _, a := range os.Args[1:] {\n'
                           b'\t\tprintln(a)\n\t}\n}\n',
        'once.go': lambda: b'package main\n\nfunc main() {\n\ts := 0\n'
        b'\tup := func(yield func(int) bool) {\n'
        b'\t\tfor i := 0; yield(i) && i < 1000000; i++ {\n\t\t}\n\t}\n'
        b'\tfor v := range up {\n\t\ts += v\n\t}\n\tprintln(s)\n}\n',
        'crowd.go': lambda: b'package main\n\nfunc mix(x int) int {\n'
        b'\treturn x*3 ^ x*5 + x*7 ^ x*9 + x*11 ^ x*13 + x*15 ^ x*17 + x*19\n'
        b'}\n\nfunc twice(x int) int { return mix(x) - mix(x^1) }\n\n'
        b'func less(x int) int { return x - 1 }\n\nfunc main() {\n\ts := 0\n' +
        b'\ts += twice(s)\n' * 16 + b'\ts += less(s)\n' * 16 +
        b'\tup := func(yield func(int) bool) {\n'
        b'\t\tfor i := 0; yield(i) && i < 1000000; i++ {\n\t\t}\n\t}\n'
        b'\tfor v := range up {\n\t\ts += v\n\t}\n\tprintln(s)\n}\n',
        'warm.go': lambda: b'package main\n\nfunc leaf(n int) int { return n '
                            b'/ 100 % 10 }\n\nfunc main() {\n\tn := 0\n'
                            b'\tfor i := range 1000000 {\n'
                            b'\t\tn += leaf(n + i)\n\t}\n'
                            b'\tprintln(n % 10)\n}\n',
        # A hot function of more words than get registers.
        'large.go': lambda: b'package main\n\nfunc main() {\n\ts := 0\n'
                            b'\tfor i := range 20000 {\n' +
                            b''.join(b'\t\ts += i %% %d * %d\n' % (k, k)
                                     for k in range(3, 1200)) +
                            b'\t}\n\tprintln(s)\n}\n',
        # One of less words, which takes long to be compiled all the same.
        'long.go': lambda: b'package main\n\nfunc main() {\n\ts := 0\n'
                           b'\tfor i := range 5000 {\n' +
                           b''.join(b'\t\ts += i %% %d * %d\n' % (k, k)
                                    for k in range(3, 403)) +
                           b'\t}\n\tprintln(s)\n}\n',
        'prints.go': lambda: PRINTS,
        'writes.go': lambda: WRITES,
        'recurse.go': lambda: RECURSE,
        'repanic.go': lambda: body(b'for i := range 6000 { defer func() { '
                                   b'panic(i) }() }; panic("first")'),
        'deeppanic.go': lambda: b'package main\n\nfunc f(n int) { '
                                b'defer f(n + 1); panic(n) }\n\n'
                                b'func main() { f(0) }\n',
        'eat.go': lambda: EAT,
        'small.go': lambda: SMALL,
        'spawn.go': lambda: SPAWN,
        'chanmake.go': lambda: CHANMAKE,
        'traced.go': lambda: TRACED,
        'hugealloc.go': lambda: HUGE_ALLOC,
        'bad.trace': lambda: b'go 1.19 trace\0\0\0' + b'\xff' * 100,
        'text.trace': lambda: b'this is not a trace\n' * 10,
        'header.trace': lambda: b'go 1.19 trace\0\0\0',
        'version.trace': lambda: b'go 1.99 trace\0\0\0' + b'\0' * 64,
        'short.trace': lambda: b'go 1.19',
        'empty.trace': lambda: b'',
        'zeros.trace': lambda: b'\0' * 4096,
    }
