// run
// exit: 1
// SPDX-License-Identifier: MIT

// Package log, ended by log.Fatal.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.Print("plain ", 1, 2)
	log.Printf("fmt %d", 3)
	log.Println("ln", 4)
	log.SetPrefix("pre: ")
	log.Print("with prefix\n")
	var buf bytes.Buffer
	l := log.New(&buf, "[x] ", log.Lmsgprefix)
	l.Print("a")
	l.SetPrefix("[y] ")
	l.SetFlags(0)
	l.Println("b", 2)
	fmt.Print(buf.String())
	fmt.Println(l.Prefix(), l.Flags(), log.Flags(), log.Prefix(), log.LstdFlags)
	buf.Reset()
	l.SetFlags(log.Lshortfile)
	l.Print("where")
	fmt.Print(buf.String())
	buf.Reset()
	l.SetFlags(log.LstdFlags | log.Lmicroseconds)
	l.Print("timed")
	s := buf.String()
	fmt.Println(len(s), strings.Count(s, ":"), strings.HasSuffix(s, "timed\n"))
	log.SetOutput(os.Stdout)
	log.Println("to stdout")
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		log.Panicf("panic %d", 5)
	}()
	defer fmt.Println("not run")
	log.Fatalln("fatal", 6)
}
