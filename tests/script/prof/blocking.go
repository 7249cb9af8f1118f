// run

// Block and mutex profiles against waits that the program measures itself:
// delays within 5 %, counts exact, sleeping left out.

package main

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"time"
)

// perSecond is how many cycles a second has, as the profile's text says.
func perSecond() float64 {
	var b bytes.Buffer
	pprof.Lookup("block").WriteTo(&b, 1)
	var n float64
	for _, line := range strings.Split(b.String(), "\n") {
		if strings.HasPrefix(line, "cycles/second=") {
			fmt.Sscan(line[14:], &n)
		}
	}
	return n
}

type sum struct {
	count int64
	delay time.Duration
}

// read sums up the records by the innermost function of the program.
func read(get func([]runtime.BlockProfileRecord) (int, bool)) map[string]sum {
	p := make([]runtime.BlockProfileRecord, 1000)
	n, ok := get(p)
	if !ok {
		panic("more than 1000 records")
	}
	all := map[string]sum{}
	hz := perSecond()
	for i := range p[:n] {
		frames := runtime.CallersFrames(p[i].Stack())
		for {
			f, more := frames.Next()
			if strings.HasPrefix(f.Function, "main.") {
				s := all[f.Function[5:]]
				s.count += p[i].Count
				s.delay += time.Duration(float64(p[i].Cycles) / hz * 1e9)
				all[f.Function[5:]] = s
				break
			}
			if !more {
				break
			}
		}
	}
	return all
}

func check(what string, s sum, count int64, want time.Duration) {
	r := float64(s.delay) / float64(want)
	if s.count == count && r > 0.95 && r < 1.05 {
		fmt.Println(what, count, "as measured")
	} else {
		fmt.Println(what, s.count, s.delay, "but measured", count, want)
	}
}

const nap = 40 * time.Millisecond

func recv(c chan int) time.Duration {
	t := time.Now()
	<-c
	return time.Since(t)
}

func send(c chan int) time.Duration {
	t := time.Now()
	c <- 1
	return time.Since(t)
}

func sel(c, d chan int) time.Duration {
	t := time.Now()
	select {
	case <-c:
	case <-d:
	}
	return time.Since(t)
}

func lock(mu *sync.Mutex) time.Duration {
	t := time.Now()
	mu.Lock()
	return time.Since(t)
}

func wait(wg *sync.WaitGroup) time.Duration {
	t := time.Now()
	wg.Wait()
	return time.Since(t)
}

func cond(c *sync.Cond) time.Duration {
	c.L.Lock()
	t := time.Now()
	c.Wait()
	d := time.Since(t)
	c.L.Unlock()
	return d
}

func sleep() { time.Sleep(nap) }

func unlock(mu *sync.Mutex) { mu.Unlock() }

func later(f func()) { go func() { time.Sleep(nap); f() }() }

func main() {
	runtime.SetBlockProfileRate(1)
	fmt.Println(runtime.SetMutexProfileFraction(1))
	fmt.Println(runtime.SetMutexProfileFraction(-1))
	var r, s, l, w, x, cw time.Duration
	for i := 0; i < 4; i++ {
		c, d := make(chan int), make(chan int)
		later(func() { c <- 1 })
		r += recv(c)
		later(func() { <-c })
		s += send(c)
		later(func() { close(d) })
		x += sel(c, d)
		var mu sync.Mutex
		mu.Lock()
		later(func() { unlock(&mu) })
		l += lock(&mu)
		var wg sync.WaitGroup
		wg.Add(1)
		later(func() { wg.Done() })
		w += wait(&wg)
		cv := sync.NewCond(new(sync.Mutex))
		later(func() { cv.L.Lock(); cv.L.Unlock(); cv.Signal() })
		cw += cond(cv)
		sleep()
	}
	all := read(runtime.BlockProfile)
	check("receive", all["recv"], 4, r)
	check("send", all["send"], 4, s)
	check("select", all["sel"], 4, x)
	check("mutex", all["lock"], 4, l)
	check("wait group", all["wait"], 4, w)
	check("cond", all["cond"], 4, cw)
	fmt.Println("sleep", all["sleep"].count)
	m := read(runtime.MutexProfile)
	check("holder", m["unlock"], 4, l)
	fmt.Println(len(m))

	// Off: nothing is added.
	runtime.SetBlockProfileRate(0)
	fmt.Println(runtime.SetMutexProfileFraction(0))
	c := make(chan int)
	later(func() { c <- 1 })
	recv(c)
	fmt.Println(read(runtime.BlockProfile)["recv"].count)
	fmt.Println(runtime.SetMutexProfileFraction(-1))
}
