// SPDX-License-Identifier: MIT

// Goroutines that have leaked and others that only look like it, by name:
// functions called lost must be in the goroutine leak profile, those called
// kept must not.  Run by leak_test.py, and by Go with
// GOEXPERIMENT=goroutineleakprofile.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"time"
)

type box struct {
	mu   sync.Mutex
	rw   sync.RWMutex
	cond *sync.Cond
	wg   sync.WaitGroup
	c    chan int
	next *box
}

func newBox() *box {
	b := &box{c: make(chan int)}
	b.cond = sync.NewCond(&b.mu)
	return b
}

var (
	global    = newBox()
	globalMu  sync.Mutex
	globalWg  sync.WaitGroup
	list      []chan int
	table     = map[string]any{}
	unrelated = make(chan int)
	kept      = 0
)

//go:noinline
func lostRecv(b *box) { <-b.c }

//go:noinline
func lostSend(b *box) { b.c <- 1 }

//go:noinline
func lostRange(c chan int) {
	for range c {
	}
}

//go:noinline
func lostNilRecv() {
	var c chan int
	<-c
}

//go:noinline
func lostNilSend() {
	var c chan int
	c <- 1
}

//go:noinline
func lostSelectNone() { select {} }

//go:noinline
func lostSelect(a, b chan int) {
	select {
	case <-a:
	case b <- 1:
	}
}

//go:noinline
func lostSelectOne(a chan int) {
	select {
	case <-a:
	}
}

//go:noinline
func lostMutex(b *box) {
	b.mu.Lock()
	b.mu.Lock()
}

//go:noinline
func lostRLock(b *box) {
	b.rw.Lock()
	b.rw.RLock()
}

//go:noinline
func lostWLock(b *box) {
	b.rw.RLock()
	b.rw.Lock()
}

//go:noinline
func lostCond(b *box) {
	b.mu.Lock()
	b.cond.Wait()
}

//go:noinline
func lostWg(b *box) {
	b.wg.Add(1)
	b.wg.Wait()
}

//go:noinline
func lostContext(ctx context.Context) { <-ctx.Done() }

// Two that wait for each other, and nobody else knows them.
//
//go:noinline
func lostPair(a, b *box) {
	<-a.c
	b.c <- 1
}

// What the lost hold does not help the others.
//
//go:noinline
func lostHolds(a, b *box) {
	a.next = b
	<-a.c
	b.c <- 1
}

//go:noinline
func keptGlobal() { <-global.c }

//go:noinline
func keptMutex() { globalMu.Lock(); globalMu.Unlock() }

//go:noinline
func keptWg() { globalWg.Wait() }

//go:noinline
func keptCond() {
	global.mu.Lock()
	global.cond.Wait()
	global.mu.Unlock()
}

//go:noinline
func keptByStack(c chan int) { <-c }

//go:noinline
func keptByTimer(c chan int) { <-c }

//go:noinline
func keptAfter() { <-time.After(time.Hour) }

//go:noinline
func keptSleep() { time.Sleep(time.Hour) }

//go:noinline
func keptTicker() {
	for range time.NewTicker(time.Hour).C {
	}
}

//go:noinline
func keptSelect(a, b chan int) {
	select {
	case <-a:
	case <-b:
	}
}

//go:noinline
func keptMap(c chan int) { <-c }

//go:noinline
func keptIface(c chan int) { <-c }

// A chain of which both ends are known.
//
//go:noinline
func keptChain(own chan int, next chan int) {
	<-own
	next <- 1
}

//go:noinline
func keptFinal(c chan int) { <-c }

type final struct{ c chan int }

func spawn() (hold chan int) {
	go lostRecv(newBox())
	go lostSend(newBox())
	go lostRange(make(chan int, 3))
	go lostNilRecv()
	go lostNilSend()
	go lostSelectNone()
	go lostSelect(make(chan int), make(chan int))
	go lostSelectOne(make(chan int))
	go lostMutex(newBox())
	go lostRLock(newBox())
	go lostWLock(newBox())
	go lostCond(newBox())
	go lostWg(newBox())
	ctx, cancel := context.WithCancel(context.Background())
	go lostContext(ctx)
	_ = cancel
	a, b := newBox(), newBox()
	go lostPair(a, b)
	go lostPair(b, a)
	go lostHolds(newBox(), newBox())

	globalMu.Lock()
	globalWg.Add(1)
	go keptGlobal()
	go keptMutex()
	go keptWg()
	go keptCond()
	hold = make(chan int)
	go keptByStack(hold)
	t := make(chan int)
	go keptByTimer(t)
	time.AfterFunc(time.Hour, func() { t <- 1 })
	go keptAfter()
	go keptSleep()
	go keptTicker()
	go keptSelect(make(chan int), unrelated)
	m := make(chan int)
	list = append(list, m)
	go keptMap(list[0])
	i := make(chan int)
	table["x"] = i
	go keptIface(i)
	next := unrelated
	for k := 0; k < 1000; k++ {
		own := make(chan int)
		go keptChain(next, own)
		next = own
	}
	list = append(list, next)
	f := &final{make(chan int)}
	runtime.SetFinalizer(f, func(f *final) { close(f.c) })
	table["f"] = f
	go keptFinal(f.c)
	return hold
}

// Where deep frames with old addresses have been.
func deep(n int) int {
	if n == 0 {
		return 0
	}
	return deep(n-1) + 1
}

// settle returns when all others have come to where they wait.
func settle() {
	buf := make([]byte, 4<<20)
	for {
		n := 0
		for _, g := range strings.Split(
			string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			_, state, _ := strings.Cut(g, "[")
			for _, s := range []string{"ru", "sys", "GC", "pre", "wai"} {
				if strings.HasPrefix(state, s) {
					n++
				}
			}
		}
		if n <= 1 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

var profile = pprof.Lookup("goroutineleak")

// look returns how many goroutines of each function have leaked.
func look() map[string]int {
	var text bytes.Buffer
	if err := profile.WriteTo(&text, 1); err != nil {
		panic(err)
	}
	got := map[string]int{}
	n := 0
	for _, line := range strings.Split(text.String(), "\n") {
		if i := strings.Index(line, " @ "); i > 0 {
			n, _ = strconv.Atoi(line[:i])
		}
		i := strings.Index(line, "main.")
		if i < 0 {
			continue
		}
		name := line[i+len("main."):]
		if k := strings.IndexAny(name, "+.("); k >= 0 {
			name = name[:k]
		}
		if strings.HasPrefix(name, "lost") || strings.HasPrefix(name, "kept") {
			got[name] += n
		}
	}
	return got
}

var want = map[string]int{
	"lostRecv": 1, "lostSend": 1, "lostRange": 1, "lostNilRecv": 1,
	"lostNilSend": 1, "lostSelectNone": 1, "lostSelect": 1,
	"lostSelectOne": 1, "lostMutex": 1, "lostRLock": 1, "lostWLock": 1,
	"lostCond": 1, "lostWg": 1, "lostContext": 1, "lostPair": 2,
	"lostHolds": 1,
}

func compare(got map[string]int, times int) (bad int) {
	for name, n := range want {
		if got[name] != n*times {
			fmt.Println(name, got[name], "want", n*times)
			bad++
		}
	}
	for name, n := range got {
		if want[name] == 0 {
			fmt.Println(name, n, "has not leaked")
			bad++
		}
	}
	return bad
}

// churn keeps making goroutines that wait for each other and go on.
func churn(stop chan bool, done *sync.WaitGroup) {
	defer done.Done()
	for {
		select {
		case <-stop:
			return
		default:
		}
		c, d := make(chan []byte), make(chan int)
		var wg sync.WaitGroup
		var mu sync.Mutex
		wg.Add(2)
		go func() { keptBusy(c, d, &mu); wg.Done() }()
		go func() { keptBusy2(c, d, &mu); wg.Done() }()
		wg.Wait()
	}
}

func keptBusy(c chan []byte, d chan int, mu *sync.Mutex) {
	for i := 0; i < 20; i++ {
		mu.Lock()
		b := make([]byte, 100*i)
		mu.Unlock()
		c <- b
		<-d
	}
}

func keptBusy2(c chan []byte, d chan int, mu *sync.Mutex) {
	for i := 0; i < 20; i++ {
		b := <-c
		mu.Lock()
		mu.Unlock()
		d <- len(b)
	}
}

func main() {
	rounds := 1
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	hold := spawn()
	deep(2000)
	settle()
	bad := 0
	for i := 0; i < 3; i++ {
		bad += compare(look(), 1)
	}
	if n := profile.Count(); n != 17 {
		fmt.Println("Count says", n)
		bad++
	}

	debug.SetGCPercent(20)
	stop := make(chan bool)
	var done sync.WaitGroup
	for i := 0; i < 6; i++ {
		done.Add(1)
		go churn(stop, &done)
	}
	for i := 0; i < rounds && bad == 0; i++ {
		bad += compare(look(), 1)
		if i%3 == 0 {
			runtime.GC()
		}
	}
	close(stop)
	done.Wait()

	// Nothing was freed or woken: all of the kept go on.
	hold <- 1
	close(unrelated)
	close(global.c)
	globalMu.Unlock()
	globalWg.Done()
	global.cond.Broadcast()
	close(list[0])
	close(table["x"].(chan int))
	close(table["f"].(*final).c)
	<-list[1] // the end of the chain
	bad += compare(look(), 1)
	if bad != 0 {
		os.Exit(1)
	}
	fmt.Println("ok")
}
