// run
// args: -n 5 x y
// SPDX-License-Identifier: MIT

// Package flag.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

type pan struct{ n int }

func (p *pan) String() string {
	if p.n == 0 {
		panic("zero!")
	}
	return "pan"
}
func (p *pan) Set(s string) error {
	if s == "bad" {
		return errors.New("no good")
	}
	return nil
}

type txt struct{ s string }

func (t txt) MarshalText() ([]byte, error) { return []byte("<" + t.s + ">"), nil }
func (t *txt) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		return errors.New("empty")
	}
	t.s = string(b)
	return nil
}

type plain int

func (p plain) String() string   { return fmt.Sprint(int(p)) }
func (p plain) Set(string) error { return nil }

func build(name string, eh flag.ErrorHandling, out *bytes.Buffer) *flag.FlagSet {
	f := flag.NewFlagSet(name, eh)
	f.SetOutput(out)
	f.Bool("b", false, "a bool")
	f.Bool("verbose", true, "another `thing` bool")
	f.Int("n", 0, "an int")
	f.Int("count", 5, "count of `items` here")
	f.Int64("i64", -1, "int64\nsecond line")
	f.Uint("u", 0, "")
	f.Uint64("u64", 7, "uint64 `unterminated")
	f.String("s", "", "empty string")
	f.String("str", "def\"ault", "a string")
	f.Float64("f", 0, "float")
	f.Float64("float", 1.5e100, "float")
	f.Duration("d", 0, "dur")
	f.Duration("dur", time.Minute, "dur")
	var l list
	f.Var(&l, "l", "a list")
	l2 := list{"x", "y"}
	f.Var(&l2, "list", "a list")
	f.Var(&pan{1}, "pan", "panics")
	f.Var(plain(0), "plain", "plain")
	f.Var(plain(3), "plain3", "plain")
	var t txt
	f.TextVar(&t, "txt", txt{"dd"}, "text")
	var t2 txt
	f.TextVar(&t2, "txt2", &txt{""}, "text")
	f.Func("fn", "function", func(s string) error {
		if s == "x" {
			return errors.New("x!")
		}
		fmt.Println("fn", s)
		return nil
	})
	f.BoolFunc("bf", "bool function", func(s string) error {
		if s == "x" || s == "false" {
			return errors.New("bx!")
		}
		fmt.Println("bf", s)
		return nil
	})
	return f
}

func try(name string, f func()) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Println(name, "panic:", e)
		}
	}()
	f()
}

func main() {
	lines := []string{"", "-b", "-b=false", "-b=maybe", "-b false x", "--b -n 3 rest -n 4", "-n", "-n=", "-n=0x10 -u 0b11", "-n 1_000", "-n 99999999999999999999", "-u -1", "-u64 18446744073709551616",
		"-s", "-s= -str=a=b", "-s -b", "-f 1e3 -float=abc", "-f 1e999", "-d 5 -dur 1h2m", "-dur 5s", "-l a -l b -list c", "-pan bad", "-pan ok", "-txt new", "-txt=", "-fn x", "-fn y -bf -bf=1", "-bf=x", "-bf=false",
		"-", "--", "-- -b", "---b", "-=3", "--=x", "-unknown", "-unknown=5", "-h", "-help", "--help", "-h=3", "a -b", "-verbose=F -count -7 x y z", "-i64 077 -i64=-0x8000000000000000", "-plain q", "-é"}
	for _, line := range lines {
		for _, eh := range []flag.ErrorHandling{flag.ContinueOnError, flag.PanicOnError} {
			var out bytes.Buffer
			f := build("prog", eh, &out)
			try(line, func() {
				err := f.Parse(strings.Fields(line))
				fmt.Println(line, "->", err, err == flag.ErrHelp)
			})
			fmt.Printf("%q\n", out.String())
			fmt.Println(f.NFlag(), f.NArg(), f.Args(), f.Arg(0), f.Arg(-1), f.Arg(99), f.Parsed(), f.Name(), f.ErrorHandling())
			f.Visit(func(g *flag.Flag) { fmt.Print(g.Name, "=", g.Value, " (", g.DefValue, ") ") })
			fmt.Println()
			f.VisitAll(func(g *flag.Flag) {
				fmt.Print(g.Name, ":")
				if get, ok := g.Value.(flag.Getter); ok {
					fmt.Printf("%v %T ", get.Get(), get.Get())
				}
			})
			fmt.Println()
		}
	}
	var out bytes.Buffer
	f := build("", flag.ContinueOnError, &out)
	f.Usage()
	fmt.Println(out.String())
	out.Reset()
	fmt.Println(f.Set("n", "5"), f.Set("n", "x"), f.Set("nope", "1"), f.Lookup("n").Value, f.Lookup("zz") == nil)
	try("redef", func() { f.Int("n", 1, "") })
	try("minus", func() { f.Int("-n", 1, "") })
	try("equals", func() { f.Int("a=n", 1, "") })
	g := flag.NewFlagSet("named", flag.ContinueOnError)
	g.SetOutput(&out)
	g.Bool("x", false, "")
	try("redef2", func() { g.Bool("x", true, "") })
	try("text", func() { var t txt; g.TextVar(&t, "t", time.Time{}, "") })
	fmt.Println(out.String())
	g.Init("other", flag.PanicOnError)
	fmt.Println(g.Name(), g.ErrorHandling())
	g.Usage = nil
	out.Reset()
	try("p", func() { g.Parse([]string{"-zz"}) })
	fmt.Println(out.String())
	g.Usage = func() { fmt.Println("custom usage") }
	try("p", func() { g.Parse([]string{"-zz"}) })
	for _, fl := range []flag.Flag{{Usage: "`a` b"}, {Usage: "x `` y"}, {Usage: "`"}} {
		fl.Value = &list{}
		a, b := flag.UnquoteUsage(&fl)
		fmt.Printf("%q %q\n", a, b)
	}
	n := flag.Int("n", 3, "nn")
	flag.CommandLine.SetOutput(os.Stdout)
	flag.Parse()
	fmt.Println(*n, flag.Args(), flag.NFlag(), flag.Parsed())
	flag.PrintDefaults()
	var z flag.FlagSet
	fmt.Println(z.Parse([]string{"a"}), z.Args(), z.Name())
}
