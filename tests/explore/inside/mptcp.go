// needs: net
// status: 0
// says: right: 4 of 4
// A connection is one of Multipath TCP if both ends want that, as far as the
// system has it.
package main

import (
	"context"
	"fmt"
	"net"
	"syscall"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// is whether the connection from such a dialer to such a listener is one, as
// both its ends say.
func is(listener, dialer bool) (bool, bool) {
	var lc net.ListenConfig
	var d net.Dialer
	lc.SetMultipathTCP(listener)
	d.SetMultipathTCP(dialer)
	l := must(lc.Listen(context.Background(), "tcp", "127.0.0.1:0"))
	defer l.Close()
	a := must(d.Dial("tcp", l.Addr().String())).(*net.TCPConn)
	defer a.Close()
	b := must(l.Accept()).(*net.TCPConn)
	defer b.Close()
	fmt.Fprint(a, "x")
	must(b.Read(make([]byte, 1)))
	return must(a.MultipathTCP()), must(b.MultipathTCP())
}

func main() {
	const protocol = 262
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, protocol)
	has := err == nil
	if has {
		syscall.Close(fd)
	}
	right := 0
	for i := range 4 {
		listener, dialer := i&1 != 0, i&2 != 0
		want := has && listener && dialer
		if a, b := is(listener, dialer); a == want && b == want {
			right++
		} else {
			fmt.Println("listener", listener, "dialer", dialer, "are", a, b)
		}
	}
	fmt.Println("right:", right, "of 4")
}
