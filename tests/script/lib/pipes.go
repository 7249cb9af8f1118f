// run
// SPDX-License-Identifier: MIT

// Pipes: deadlines, closing under those who wait, raw access. The times only
// make it likely that somebody waits; what is printed does not depend on them.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

func main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	fmt.Println(r.SetReadDeadline(time.Now().Add(10 * time.Millisecond)))
	_, err = r.Read(make([]byte, 1))
	fmt.Println(err, errors.Is(err, os.ErrDeadlineExceeded), os.IsTimeout(err))
	r.SetDeadline(time.Now().Add(-1))
	_, err = r.Read(make([]byte, 1))
	fmt.Println(err)
	r.SetDeadline(time.Time{})
	go func() { time.Sleep(5 * time.Millisecond); w.WriteString("hello") }()
	b := make([]byte, 10)
	n, err := r.Read(b)
	fmt.Println(string(b[:n]), err)
	w.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
	_, err = w.Write(make([]byte, 1<<20))
	fmt.Println(err)
	w.SetWriteDeadline(time.Time{})
	go func() { time.Sleep(5 * time.Millisecond); w.SetWriteDeadline(time.Now().Add(-1)) }()
	for err = nil; err == nil; {
		n, err = w.WriteString("x")
	}
	fmt.Println(n, err)
	done := make(chan bool)
	r2, w2, _ := os.Pipe()
	go func() { _, err := r2.Read(b); fmt.Println(err, errors.Is(err, os.ErrClosed)); done <- true }()
	time.Sleep(5 * time.Millisecond)
	first, again := r2.Close(), r2.Close()
	<-done
	fmt.Println(first, again)
	_, err = w2.Write([]byte("x"))
	fmt.Println(err, errors.Is(err, syscall.EPIPE))
	f, _ := os.Open("/dev/null")
	fmt.Println(f.SetDeadline(time.Now()))
	f, _ = os.Open("/proc/self/exe")
	fmt.Println(f.SetDeadline(time.Now()), errors.Is(f.SetDeadline(time.Now()), os.ErrNoDeadline))
	c, _ := f.SyscallConn()
	fmt.Println(c.Read(func(fd uintptr) bool { return false }))
	f.Close()
	fmt.Println(c.Control(func(fd uintptr) {}))
	fmt.Println(f.SetDeadline(time.Now()))
	fmt.Println(f.Stat())
	fmt.Println(int(f.Fd()))
	// many
	var wg sync.WaitGroup
	for i := 0; i < 100; i++ {
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		wg.Add(2)
		go func() {
			defer wg.Done()
			n, err := io.Copy(io.Discard, r)
			if n != 300000 || err != nil {
				fmt.Println(n, err)
			}
			r.Close()
		}()
		go func() {
			defer wg.Done()
			for i := 0; i < 3; i++ {
				w.Write(make([]byte, 100000))
			}
			w.Close()
		}()
	}
	wg.Wait()
	r3, w3, _ := os.Pipe()
	rc, _ := r3.SyscallConn()
	go func() { time.Sleep(time.Millisecond); w3.Write([]byte("raw")) }()
	fmt.Println(rc.Read(func(fd uintptr) bool {
		n, err := syscall.Read(int(fd), b)
		if err == syscall.EAGAIN {
			return false
		}
		fmt.Println(string(b[:n]), err)
		return true
	}))
	fmt.Println(rc.Write(func(fd uintptr) bool { return true }))
	r3.Fd()
	go func() { time.Sleep(time.Millisecond); w3.Write([]byte("fd")) }()
	n, err = r3.Read(b)
	fmt.Println(string(b[:n]), err)
}
