// run
// SPDX-License-Identifier: MIT

// A Goexit goes on after a panic of a deferred call that it runs, wherever
// that is recovered.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

var wg sync.WaitGroup

func run(what string, f func()) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer func() { fmt.Println(what, "ends", recover()) }()
		f()
		fmt.Println(what, "goes on")
	}()
	wg.Wait()
}

func exit() { runtime.Goexit() }

func main() {
	run("plain", exit)
	run("above", func() {
		defer func() {
			defer func() { fmt.Println("recovered", recover()) }()
			panic("in a deferred call")
		}()
		exit()
	})
	run("here", func() {
		defer func() { fmt.Println("recovered", recover()) }()
		defer func() { panic("here") }()
		exit()
	})
	run("inner", func() {
		func() {
			defer fmt.Println("before")
			defer func() { fmt.Println("recovered", recover()) }()
			defer func() { panic("inner") }()
			exit()
		}()
		fmt.Println("not reached")
	})
	run("exit in panic", func() {
		defer exit()
		panic("lost")
	})
	run("recovered first", func() {
		defer exit()
		defer func() { fmt.Println("recovered", recover()) }()
		panic("first")
	})
	run("no panic", func() {
		defer func() { fmt.Println("nothing", recover()) }()
		exit()
	})
}
