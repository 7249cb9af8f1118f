// run
// tree
// concurrent: 10

// Connections of a program to itself: how they begin and end, what they are
// called, and who is told what. By a seed none of it is the kernel's.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/rpc"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// what is the error number in err, or what else it is.
func what(err error) string {
	var e syscall.Errno
	switch {
	case errors.As(err, &e):
		return e.Error()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "too late"
	case errors.Is(err, net.ErrClosed):
		return "closed"
	case err == nil:
		return "ok"
	}
	return err.Error()
}

func listen(address string) *net.TCPListener {
	return must(net.Listen("tcp", address)).(*net.TCPListener)
}

// pair is a connection: who called, and who was called.
func pair() (a, b *net.TCPConn) {
	l := listen("127.0.0.1:0")
	defer l.Close()
	a = must(net.Dial("tcp", l.Addr().String())).(*net.TCPConn)
	b = must(l.AcceptTCP())
	return a, b
}

func read(c io.Reader, n int) string {
	b := make([]byte, n)
	n, err := c.Read(b)
	return fmt.Sprintf("%q %s", b[:n], what(err))
}

func names() {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0", "0.0.0.0:0", ":0"} {
		l := listen(address)
		_, port, _ := net.SplitHostPort(l.Addr().String())
		for _, host := range []string{"127.0.0.1", "127.0.0.2", "::1", "localhost", ""} {
			a, err := net.Dial("tcp", net.JoinHostPort(host, port))
			if err != nil {
				fmt.Println(address, host, what(err))
				continue
			}
			b := must(l.Accept())
			fmt.Println(address, host, a.LocalAddr().String() == b.RemoteAddr().String(),
				a.RemoteAddr().String() == b.LocalAddr().String(),
				strings.TrimSuffix(a.RemoteAddr().String(), ":"+port),
				a.LocalAddr().(*net.TCPAddr).IP)
			a.Close()
			b.Close()
		}
		l.Close()
		_, err := net.Dial("tcp", l.Addr().String())
		fmt.Println(address, what(err))
	}
	l := listen("127.0.0.1:0")
	defer l.Close()
	_, err := net.Listen("tcp", l.Addr().String())
	fmt.Println("again:", what(err))
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 9)}}
	a := must(d.Dial("tcp", l.Addr().String()))
	b := must(l.Accept())
	fmt.Println(a.LocalAddr().String() == b.RemoteAddr().String(), b.RemoteAddr().(*net.TCPAddr).IP)
	a.Close()
	b.Close()
}

func ends() {
	a, b := pair()
	fmt.Fprint(a, "to the end")
	a.CloseWrite()
	fmt.Println(read(b, 6), read(b, 6), read(b, 6))
	_, err := a.Write([]byte("x"))
	fmt.Println("after CloseWrite:", what(err))
	fmt.Fprint(b, "answer")
	fmt.Println(read(a, 99))
	b.Close()
	fmt.Println(read(a, 99))
	a.Close()
	fmt.Println(read(a, 99))

	a, b = pair()
	fmt.Fprint(a, "first")
	fmt.Fprint(b, "never read")
	time.Sleep(10 * time.Millisecond)
	a.Close()
	time.Sleep(10 * time.Millisecond)
	fmt.Println("unread:", read(b, 99), read(b, 99), read(b, 99))
	_, err = b.Write([]byte("x"))
	fmt.Println(what(err))
	b.Close()

	a, b = pair()
	check(a.SetLinger(0))
	a.Close()
	time.Sleep(10 * time.Millisecond)
	fmt.Println("linger:", read(b, 99), read(b, 99))
	b.Close()

	a, b = pair()
	a.Close()
	n := 0
	for err = nil; err == nil && n < 1000; n++ {
		_, err = b.Write([]byte("x"))
		time.Sleep(time.Millisecond)
	}
	fmt.Println("write:", n, what(err), read(b, 9))
	b.Close()

	a, b = pair()
	a.Close()
	lots := make(net.Buffers, 1<<8)
	for i := range lots {
		lots[i] = make([]byte, 1<<18)
	}
	_, err = lots.WriteTo(b)
	fmt.Println("much at once:", err != nil)
	b.Close()

	a, b = pair()
	fmt.Fprint(b, "buffered")
	time.Sleep(10 * time.Millisecond)
	a.CloseRead()
	fmt.Println("CloseRead:", read(a, 99), read(a, 99))
	a.Close()
	b.Close()

	l := listen("127.0.0.1:0")
	a = must(net.Dial("tcp", l.Addr().String())).(*net.TCPConn)
	l.Close()
	fmt.Println("listener:", read(a, 99))
	a.Close()
	l = listen("127.0.0.1:0")
	a = must(net.Dial("tcp", l.Addr().String())).(*net.TCPConn)
	fmt.Fprint(a, "gone before it was accepted")
	a.Close()
	b = must(l.AcceptTCP())
	fmt.Println(read(b, 99), read(b, 99))
	b.Close()
	done := make(chan string)
	go func() {
		_, err := l.Accept()
		done <- what(err)
	}()
	l.Close()
	fmt.Println("accept:", <-done)
}

func times() {
	a, b := pair()
	a.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	fmt.Println(read(a, 1), read(a, 1))
	a.SetReadDeadline(time.Time{})
	fmt.Fprint(b, "later")
	fmt.Println(read(a, 9))
	big := make([]byte, 64<<20)
	a.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	n, err := a.Write(big)
	fmt.Println(n > 0, n < len(big), what(err))
	a.SetWriteDeadline(time.Time{})
	go func() {
		a.Write([]byte("end"))
		a.Close()
	}()
	rest := must(io.ReadAll(b))
	fmt.Println(len(rest) == n+3, string(rest[n:]))
	b.Close()

	c, d := pair()
	done := make(chan string)
	go func() { done <- read(c, 1) }()
	c.SetReadDeadline(time.Now())
	fmt.Println(<-done)
	c.SetReadDeadline(time.Time{})
	go func() { done <- read(c, 1) }()
	c.Close()
	fmt.Println(<-done)
	d.Close()
}

func copies() {
	dir := must(os.MkdirTemp("", "loopback"))
	defer os.RemoveAll(dir)
	text := bytes.Repeat([]byte("0123456789"), 50000)
	name := filepath.Join(dir, "file")
	check(os.WriteFile(name, text, 0o600))
	a, b := pair()
	c, d := pair()
	go func() {
		f := must(os.Open(name))
		fmt.Fprint(a, "<")
		n := must(io.Copy(a, f))
		v := net.Buffers{[]byte(">"), nil, text, []byte("|")}
		k := must(v.WriteTo(a))
		fmt.Println("sent", n, k)
		a.Close()
	}()
	go func() {
		io.Copy(c, b)
		c.Close()
	}()
	got := must(io.ReadAll(d))
	want := "<" + string(text) + ">" + string(text) + "|"
	fmt.Println(len(got), string(got) == want)
	b.Close()
	d.Close()
}

func ways() {
	a, b := pair()
	fmt.Println(a.SetNoDelay(false), a.SetKeepAlive(true), a.SetKeepAlivePeriod(time.Minute),
		a.SetReadBuffer(5000), a.SetWriteBuffer(5000), a.SetLinger(5))
	fmt.Fprint(b, "look twice")
	raw := must(a.SyscallConn())
	for _, flag := range []int{syscall.MSG_PEEK, 0} {
		check(raw.Read(func(fd uintptr) bool {
			buf := make([]byte, 99)
			n, _, err := syscall.Recvfrom(int(fd), buf, flag)
			if err == syscall.EAGAIN {
				return false
			}
			fmt.Println(string(buf[:n]), err)
			return true
		}))
	}
	check(raw.Control(func(fd uintptr) {
		_, err := syscall.Read(int(fd), make([]byte, 1))
		fmt.Println(what(err))
		v, err := syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_TYPE)
		fmt.Println(v == syscall.SOCK_STREAM, err)
		v, err = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR)
		fmt.Println(v, err)
	}))
	f := must(a.File())
	a.Close()
	fmt.Fprint(f, "by a file")
	fmt.Println(read(b, 99))
	fmt.Fprint(b, "to a file")
	fmt.Println(read(f, 99))
	again := must(net.FileConn(f))
	fmt.Println(again.RemoteAddr().String() == b.LocalAddr().String())
	f.Close()
	fmt.Fprint(again, "and back")
	fmt.Println(read(b, 99))
	again.Close()
	fmt.Println(read(b, 99))
	b.Close()

	l := listen("127.0.0.1:0")
	lf := must(l.File())
	l.Close()
	second := must(net.FileListener(lf))
	lf.Close()
	x := must(net.Dial("tcp", second.Addr().String()))
	y := must(second.Accept())
	fmt.Fprint(x, "by a listener's file")
	fmt.Println(read(y, 99))
	x.Close()
	y.Close()
	second.Close()
}

type Sum struct{}

func (Sum) Of(v []int, sum *int) error {
	for _, x := range v {
		*sum += x
	}
	return nil
}

func many() {
	l := listen("127.0.0.1:0")
	log.SetOutput(io.Discard) // it tells that the listener is closed, if it may
	s := rpc.NewServer()
	check(s.Register(Sum{}))
	go s.Accept(l)
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := must(rpc.Dial("tcp", l.Addr().String()))
			defer c.Close()
			for k := range 5 {
				sum := 0
				check(c.Call("Sum.Of", []int{i, k, 1}, &sum))
				mu.Lock()
				total += sum
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	l.Close()
	fmt.Println("sum", total)
}

func packets() {
	p := must(net.ListenPacket("udp", "127.0.0.1:0")).(*net.UDPConn)
	q := must(net.Dial("udp", p.LocalAddr().String())).(*net.UDPConn)
	fmt.Fprint(q, "one")
	fmt.Fprint(q, "")
	fmt.Fprint(q, "a long one")
	buf := make([]byte, 99)
	for _, room := range []int{99, 99, 5} {
		n, from, err := p.ReadFrom(buf[:room])
		fmt.Println(string(buf[:n]), from.String() == q.LocalAddr().String(), err)
	}
	must(p.WriteTo([]byte("answer"), q.LocalAddr()))
	fmt.Println(read(q, 99))
	n, oobn, err := q.WriteMsgUDP([]byte("message"), nil, nil)
	fmt.Println(n, oobn, err)
	n, oobn, flags, from, err := p.ReadMsgUDP(buf[:4], nil)
	fmt.Println(string(buf[:n]), oobn, flags == syscall.MSG_TRUNC, from.String() == q.LocalAddr().String(), err)
	// q is connected, and hears nobody else.
	other := must(net.ListenPacket("udp", "127.0.0.1:0"))
	must(other.WriteTo([]byte("from elsewhere"), q.LocalAddr()))
	must(p.WriteTo([]byte("from where it should"), q.LocalAddr()))
	fmt.Println(read(q, 99))
	p.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	fmt.Println(read(p, 9))
	_, err = q.Write(make([]byte, 70000))
	fmt.Println(what(err))
	p.Close()
	other.Close()
	done := make(chan string)
	go func() { done <- read(q, 1) }()
	q.Close()
	fmt.Println(<-done)
	u := must(net.ListenPacket("udp", ":0"))
	_, port, _ := net.SplitHostPort(u.LocalAddr().String())
	for _, host := range []string{"127.0.0.1", "::1"} {
		v := must(net.Dial("udp", net.JoinHostPort(host, port)))
		fmt.Fprint(v, host)
		n, from, err := u.ReadFrom(buf)
		fmt.Println(string(buf[:n]), from.String() == v.LocalAddr().String(), err)
		v.Close()
	}
	u.Close()
}

func main() {
	names()
	ends()
	times()
	copies()
	ways()
	many()
	packets()
}
