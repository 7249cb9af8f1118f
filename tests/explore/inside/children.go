// status: 0
// says: 588895 <nil>
// says: 1000000 true <nil>
// says: killed: signal: killed
// says: stopped: signal: terminated
// says: answers: 10
// says: server: 3 exit status 7
// needs: os/exec
// outside: how children's output comes in pieces
package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func main() {
	// More than a pipe has room for: who waits for the end must not keep from
	// running who reads.
	b, err := exec.Command("seq", "100000").Output()
	fmt.Println(len(b), err)

	// And in both directions.
	text := bytes.Repeat([]byte("0123456789"), 100000)
	c := exec.Command("cat")
	c.Stdin = bytes.NewReader(text)
	b, err = c.Output()
	fmt.Println(len(b), bytes.Equal(b, text), err)

	// Its time is over before it ends.
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	fmt.Println("killed:", exec.CommandContext(ctx, "sleep", "1000").Run())
	cancel()
	c = exec.Command("sleep", "1000")
	if err := c.Start(); err != nil {
		panic(err)
	}
	go func() {
		time.Sleep(10 * time.Millisecond)
		c.Process.Signal(syscall.SIGTERM)
	}()
	fmt.Println("stopped:", c.Wait())

	// A conversation, while another goroutine waits for its end.
	c = exec.Command("cat")
	in := must(c.StdinPipe())
	out := bufio.NewReader(must(c.StdoutPipe()))
	if err := c.Start(); err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		must(c.Process.Wait())
	}()
	n := 0
	for i := range 10 {
		fmt.Fprintln(in, "line", i)
		if must(out.ReadString('\n')) == fmt.Sprintln("line", i) {
			n++
		}
	}
	in.Close()
	wg.Wait()
	fmt.Println("answers:", n)

	// Others go on and on meanwhile.
	var done atomic.Bool
	c = exec.Command("sh", "-c", "read x; read y; read z; exit 7")
	in = must(c.StdinPipe())
	if err := c.Start(); err != nil {
		panic(err)
	}
	lines := 0
	go func() {
		for range 3 {
			io.WriteString(in, "go on\n")
			lines++
			time.Sleep(time.Microsecond)
		}
	}()
	go func() {
		err = c.Wait()
		done.Store(true)
	}()
	for !done.Load() {
	}
	fmt.Println("server:", lines, err)
}
