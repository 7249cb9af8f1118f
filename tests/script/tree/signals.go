// run
// tree

// Signals: package os/signal comes from a tree of Go's sources; a thread of the
// host waits for those that the program wants.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

var me = os.Getpid()

func send(s syscall.Signal) {
	if err := syscall.Kill(me, s); err != nil {
		fmt.Println(err)
	}
}

func main() {
	// Without anybody who wants them these do nothing.
	send(syscall.SIGUSR1)
	send(syscall.SIGWINCH)

	c := make(chan os.Signal, 4)
	signal.Notify(c, syscall.SIGUSR1, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	for _, s := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		send(s)
		got := <-c
		fmt.Println(got == s, got)
	}

	fmt.Println(signal.Ignored(syscall.SIGUSR2), signal.Ignored(syscall.SIGINT))
	signal.Ignore(syscall.SIGUSR2, syscall.SIGINT)
	fmt.Println(signal.Ignored(syscall.SIGUSR2), signal.Ignored(syscall.SIGINT))
	send(syscall.SIGUSR2)
	send(syscall.SIGINT)
	signal.Notify(c, syscall.SIGUSR2)
	fmt.Println(signal.Ignored(syscall.SIGUSR2))
	send(syscall.SIGUSR2)
	fmt.Println(<-c, len(c))

	// Two that want the same; one of them does not any more.
	d := make(chan os.Signal, 4)
	signal.Notify(d, syscall.SIGUSR1)
	send(syscall.SIGUSR1)
	fmt.Println(<-c, <-d)
	signal.Stop(c)
	send(syscall.SIGUSR1)
	fmt.Println(<-d, len(c))

	// What has come before Stop is in the channel when Stop returns.
	f := make(chan os.Signal, 1)
	lost := 0
	for i := 0; i < 500; i++ {
		signal.Notify(f, syscall.SIGUSR2)
		send(syscall.SIGUSR2)
		signal.Stop(f)
		select {
		case <-f:
		default:
			lost++
		}
	}
	fmt.Println("lost:", lost)

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	send(syscall.SIGTERM)
	<-ctx.Done()
	fmt.Println(ctx.Err())
	stop()

	// Signals that come while nobody receives: the channel's buffer takes what
	// it can.
	e := make(chan os.Signal, 1)
	signal.Notify(e, syscall.SIGWINCH)
	for i := 0; i < 3; i++ {
		send(syscall.SIGWINCH)
	}
	fmt.Println(<-e)
	signal.Reset()
	send(syscall.SIGWINCH)
	fmt.Println("the end")
}
