// run
// SPDX-License-Identifier: MIT

// What debug.BuildInfo writes, and what is read again; runtime.Pinner.

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"unsafe"
)

func main() {
	info := &debug.BuildInfo{
		GoVersion: "go1.26",
		Path:      "a/b",
		Main:      debug.Module{Path: "a", Version: "v1.0.0", Sum: "h1:x"},
		Deps: []*debug.Module{{Path: "c", Version: "v2.0.0"},
			{Path: "d", Version: "v3.0.0", Replace: &debug.Module{Path: "../d", Version: "v0", Sum: "h1:y"}}},
		Settings: []debug.BuildSetting{{"-tags", "x y"}, {"empty", ""}, {"a=b", "c=d"}, {"", "`"}},
	}
	text := info.String()
	fmt.Print(text)
	again, err := debug.ParseBuildInfo(text)
	fmt.Println(err, again.GoVersion, again.String() == strings.TrimPrefix(text, "go\tgo1.26\n"))
	for _, s := range []string{"", "path\n", "path\tx", "path\tx\n", "mod\ta\n", "mod\ta\tb\tc\td\n", "dep\ta\tb\n",
		"=>\ta\tb\tc\n", "dep\ta\tb\n=>\ta\tb\n", "dep\ta\tb\n=>\ta\tb\tc\n=>\ta\tb\tc\n", "other\tx\n",
		"build\t\n", "build\t=x\n", "build\ta\n", "build\ta b=c\n", "build\ta=b c\n", "build\t\"a\n",
		"build\t\"a\"\n", "build\t\"a\"b\n", "build\t\"a b\"=`c d`\n", "build\ta=\"b\n", "build\ta=\"b\"c\n"} {
		bi, err := debug.ParseBuildInfo(s)
		fmt.Printf("%q: %v", s, err)
		if bi != nil {
			fmt.Printf(" %q", bi.String())
		}
		fmt.Println()
	}
	var p runtime.Pinner
	p.Pin(new(int))
	p.Pin(unsafe.Pointer(new(int)))
	p.Unpin()
	for _, v := range []any{nil, 1, "s", []int{1}, map[int]int{}, func() {}} {
		func() {
			defer func() {
				err, ok := recover().(runtime.Error)
				fmt.Println(err, ok)
			}()
			p.Pin(v)
		}()
	}
}
