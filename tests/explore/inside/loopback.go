// needs: net
// status: 0
// says: echo hello 2 2
// says: timeout true
// Connections of the program to itself, and a deadline that nobody meets.
package main

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"time"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				s := bufio.NewScanner(c)
				for s.Scan() {
					fmt.Fprintln(c, "echo", s.Text())
				}
				c.Close()
			}()
		}
	}()
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				panic(err)
			}
			for k := range 3 {
				time.Sleep(time.Second)
				fmt.Fprintln(c, "hello", i, k)
				line, err := bufio.NewReader(c).ReadString('\n')
				if err != nil {
					panic(err)
				}
				fmt.Print(line)
			}
			c.Close()
		}()
	}
	wg.Wait()
	c, _ := net.Dial("tcp", l.Addr().String())
	c.SetReadDeadline(time.Now().Add(time.Minute))
	_, err = c.Read(make([]byte, 1))
	fmt.Println("timeout", err.(net.Error).Timeout())
}
