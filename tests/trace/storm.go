// SPDX-License-Identifier: MIT

// Traces start and stop while goroutines run, block, exit and allocate.
// Usage: storm CYCLES [FOLDER], which gets a file for each tenth cycle.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"strconv"
	"sync"
	"time"
)

type node struct {
	next *node
	data [40]byte
}

func allocate(stop chan bool) {
	var keep *node
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		keep = &node{next: keep}
		if i%1000 == 0 {
			keep = nil
			runtime.Gosched()
		}
	}
}

func chatter(stop chan bool) {
	c := make(chan int)
	d := make(chan int, 3)
	go func() {
		for v := range c {
			d <- v
		}
		close(d)
	}()
	for i := 0; ; i++ {
		select {
		case <-stop:
			close(c)
			for range d {
			}
			return
		case c <- i:
		case <-d:
		}
	}
}

func spawner(stop chan bool) {
	var wg sync.WaitGroup
	for {
		select {
		case <-stop:
			return
		default:
		}
		for i := 0; i < 10; i++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				trace.WithRegion(context.Background(), "child", runtime.Gosched)
			}()
		}
		wg.Wait()
	}
}

func locker(mu *sync.Mutex, stop chan bool) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		mu.Lock()
		runtime.Gosched()
		mu.Unlock()
	}
}

func sleeper(stop chan bool) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(50 * time.Microsecond):
		}
		time.Sleep(10 * time.Microsecond)
	}
}

func reader(stop chan bool) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		f, err := os.Open("/dev/null")
		if err == nil {
			f.Read(make([]byte, 10))
			f.Close()
		}
	}
}

func main() {
	cycles := 40
	if len(os.Args) > 1 {
		cycles, _ = strconv.Atoi(os.Args[1])
	}
	stop := make(chan bool)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, f := range []func(chan bool){allocate, chatter, spawner, sleeper,
		reader, func(stop chan bool) { locker(&mu, stop) },
		func(stop chan bool) { locker(&mu, stop) }} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(stop)
		}()
	}
	fr := trace.NewFlightRecorder(trace.FlightRecorderConfig{MaxBytes: 1 << 18})
	good, flights := 0, 0
	for i := 0; i < cycles; i++ {
		var b bytes.Buffer
		if i%8 == 3 {
			fr.Start()
		}
		if trace.Start(&b) != nil {
			continue
		}
		switch i % 4 {
		case 1:
			runtime.GC()
		case 2:
			time.Sleep(200 * time.Microsecond)
		case 3:
			runtime.GOMAXPROCS(1 + i/4%4)
		}
		var d bytes.Buffer
		if fr.Enabled() {
			fr.WriteTo(&d)
		}
		trace.Stop()
		if b.Len() > 100 {
			good++
		}
		if d.Len() > 100 {
			flights++
		}
		if i%8 == 6 {
			d.Reset()
			fr.WriteTo(&d)
			fr.Stop()
		}
		if len(os.Args) > 2 && i%10 < 3 {
			name := fmt.Sprintf("%s/%04d", os.Args[2], i)
			os.WriteFile(name+".trace", b.Bytes(), 0666)
			if d.Len() > 0 {
				os.WriteFile(name+".flight.trace", d.Bytes(), 0666)
			}
		}
	}
	fr.Stop()
	close(stop)
	wg.Wait()
	fmt.Println(good == cycles, flights > 0)
}
