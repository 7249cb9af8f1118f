// run
// SPDX-License-Identifier: MIT

// Processes: descriptors, environment, folder, status, signals and errors.

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
)

// run gives the output of a shell command.
func run(attr *os.ProcAttr, script string) (string, *os.ProcessState, error) {
	r, w, _ := os.Pipe()
	attr.Files = append([]*os.File{nil, w, w}, attr.Files...)
	p, err := os.StartProcess("/bin/sh", []string{"sh", "-c", script}, attr)
	w.Close()
	if err != nil {
		return "", nil, err
	}
	out, _ := io.ReadAll(r)
	r.Close()
	state, err := p.Wait()
	return string(out), state, err
}

func main() {
	out, s, err := run(&os.ProcAttr{Env: []string{"A=b"}, Dir: "/"}, "echo $A; pwd; exit 3")
	fmt.Printf("%q %v %v %d %v %v\n", out, s, err, s.ExitCode(), s.Exited(), s.Success())
	out, s, err = run(&os.ProcAttr{}, "read x || echo closed; kill -9 $$")
	fmt.Printf("%q %v %v %d %v\n", strings.Contains(out, "closed"), s, err, s.ExitCode(), s.Sys().(syscall.WaitStatus).Signal())
	os.Setenv("INHERITED", "yes")
	out, s, err = run(&os.ProcAttr{}, "echo $INHERITED")
	fmt.Printf("%q %v %v\n", out, s, err)

	// Descriptors that stand in each other's way.
	var files []*os.File
	for i := 0; i < 4; i++ {
		r, w, _ := os.Pipe()
		fmt.Fprintf(w, "pipe %d\n", i)
		w.Close()
		files = append(files, r)
	}
	out, _, err = run(&os.ProcAttr{Files: []*os.File{files[3], files[2], nil, files[0], files[0]}},
		"cat <&3; cat <&4; cat <&6; cat <&7; cat <&5 2>/dev/null || echo none")
	fmt.Printf("%q %v\n", out, err)

	for _, x := range []struct {
		name string
		attr os.ProcAttr
	}{
		{"/nonexistent/x", os.ProcAttr{}}, {"/", os.ProcAttr{}}, {"/bin/sh", os.ProcAttr{Dir: "/nonexistent"}},
		{"/bin/sh", os.ProcAttr{Dir: "/nonexistent", Sys: &syscall.SysProcAttr{}}},
		{"/bin/sh\x00", os.ProcAttr{}},
	} {
		_, err := os.StartProcess(x.name, []string{x.name}, &x.attr)
		fmt.Printf("%q %v\n", err, errors.Is(err, os.ErrNotExist))
	}

	p, err := os.StartProcess("/bin/sleep", []string{"sleep", "100"}, &os.ProcAttr{})
	fmt.Println(err, p.Signal(syscall.Signal(0)))
	other, err := os.FindProcess(p.Pid)
	fmt.Println(err, other.Signal(syscall.SIGTERM))
	s, err = p.Wait()
	fmt.Println(s, err, s.Pid() == p.Pid, s.UserTime() >= 0, s.SysUsage().(*syscall.Rusage).Stime.Sec)
	fmt.Println(p.Kill(), p.Signal(os.Interrupt))
	_, err = p.Wait()
	fmt.Println(err)
	fmt.Println(p.Release(), p.Kill())
	_, err = p.Wait()
	fmt.Println(err)
	var none *os.ProcessState
	fmt.Println(none, none.ExitCode())
	self, _ := os.FindProcess(os.Getpid())
	fmt.Println(self.Signal(syscall.Signal(0)), self.Pid == os.Getpid())

	// Many at once, while other goroutines allocate.
	var wg sync.WaitGroup
	sum := make(chan int, 20)
	for i := 0; i < 20; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p, err := os.StartProcess("/bin/sh", []string{"sh", "-c", fmt.Sprint("exit ", i)}, &os.ProcAttr{
				Sys: &syscall.SysProcAttr{Setpgid: i%2 == 0}})
			if err != nil {
				fmt.Println(err)
				return
			}
			s, _ := p.Wait()
			sum <- s.ExitCode()
		}()
	}
	wg.Wait()
	close(sum)
	total := 0
	for n := range sum {
		total += n
	}
	fmt.Println(total)
}
