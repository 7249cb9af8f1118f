// run
// tree

// Processes: package os/exec and the part of package os that starts them come
// from a tree of Go's sources, on a native that forks.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
)

func main() {
	out, err := exec.Command("echo", "hello", "x y").Output()
	fmt.Printf("%q %v\n", out, err)
	var b bytes.Buffer
	c := exec.Command("tr", "a-z", "A-Z")
	c.Stdin, c.Stdout = strings.NewReader("shout"), &b
	fmt.Println(c.Run(), b.String())
	err = exec.Command("sh", "-c", "exit 3").Run()
	var status *exec.ExitError
	fmt.Println(err, errors.As(err, &status), status.ExitCode(), status.Success())
	fmt.Println(exec.Command("sh", "-c", "kill -PIPE $$; echo alive").Run())
	_, err = exec.LookPath("no-such-program")
	fmt.Println(err, errors.Is(err, exec.ErrNotFound))
	fmt.Println(exec.Command("/no/such").Run())

	c = exec.Command("cat")
	in, _ := c.StdinPipe()
	o, _ := c.StdoutPipe()
	fmt.Println(c.Start())
	go func() {
		io.WriteString(in, "through a pipe")
		in.Close()
	}()
	all, _ := io.ReadAll(o)
	fmt.Println(string(all), c.Wait())

	c = exec.Command("sleep", "100")
	c.Start()
	fmt.Println(c.Process.Kill(), c.Wait(), c.ProcessState.Sys().(syscall.WaitStatus).Signal())
	fmt.Println(c.Process.Signal(os.Interrupt))

	c = exec.Command("sh", "-c", "pwd; echo $A; echo to stderr >&2; cat <&3; read -r p n s pp pg x </proc/$$/stat; echo $pg >&4")
	c.Dir, c.Env = "/", []string{"A=1", "PATH=" + os.Getenv("PATH")}
	r, w, _ := os.Pipe()
	io.WriteString(w, "from file 3\n")
	w.Close()
	null, _ := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	c.ExtraFiles = []*os.File{r, null}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err = c.CombinedOutput()
	fmt.Printf("%s%v\n", out, err)
	c = exec.Command("true")
	c.SysProcAttr = &syscall.SysProcAttr{Chroot: "/no/such"}
	fmt.Println(c.Run() != nil)
	c = exec.Command("pwd")
	c.Dir = "/no/such"
	fmt.Println(c.Run())

	p, err := os.FindProcess(os.Getpid())
	fmt.Println(p.Pid == os.Getpid(), err)
	var wait sync.WaitGroup
	var lock sync.Mutex
	sum := 0
	for i := 0; i < 20; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			out, err := exec.Command("sh", "-c", fmt.Sprint("echo ", i)).Output()
			n := 0
			fmt.Sscan(string(out), &n)
			lock.Lock()
			defer lock.Unlock()
			sum += n
			if err != nil {
				fmt.Println(err)
			}
		}()
	}
	wait.Wait()
	fmt.Println(sum)
}
