// run
// timeout: 120
// go-trace: 0

// Four hundred goroutine profiles while thousands of goroutines are born, run
// and die: nobody is there twice, nobody who lived through is missing, the
// count is the promised one, labels are right.

package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	stay     = 30
	profiles = 400
	churn    = 10000
)

var stop atomic.Bool
var born atomic.Int64

// labelled runs f in a goroutine with labels.
func labelled(kind string, id int, f func()) {
	l := pprof.Labels("kind", kind, "id", strconv.Itoa(id))
	pprof.Do(context.Background(), l, func(context.Context) { go f() })
}

// spin lives through everything and is always running or runnable.
func spin(done *sync.WaitGroup) {
	for !stop.Load() {
		runtime.Gosched()
	}
	done.Done()
}

// park lives through everything and waits most of the time.
func park(c chan int, done *sync.WaitGroup) {
	for range c {
	}
	done.Done()
}

func short(n int, c chan<- int) {
	if n > 0 {
		short(n-1, c)
		return
	}
	runtime.Gosched()
	c <- 1
}

// parse reads the text of a profile: the count that it promises, and how many
// goroutines there are by labels and outermost function.
func parse(text string) (total, sum int, seen map[string]int) {
	seen = map[string]int{}
	label, root := "", ""
	n := 0
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "goroutine profile: total "):
			total, _ = strconv.Atoi(line[25:])
		case strings.Contains(line, " @ "):
			n, _ = strconv.Atoi(line[:strings.Index(line, " ")])
			sum += n
			label, root = "", ""
		case strings.HasPrefix(line, "# labels: "):
			label = line[10:]
		case strings.HasPrefix(line, "#\t"):
			f := strings.Fields(line)[2]
			if strings.HasPrefix(f, "main.") {
				root = f[:strings.LastIndex(f, "+")]
			}
		case line == "" && n != 0:
			seen[label+" "+root] += n
			n = 0
		}
	}
	return
}

func churner(begun chan<- int, n *sync.WaitGroup) {
	begun <- 1
	c := make(chan int)
	for i := 0; !stop.Load() || born.Load() < churn; i++ {
		id := int(born.Add(1))
		labelled("churn", id, func() { short(i%20, c) })
		if i%3 == 0 {
			runtime.Gosched()
		}
		<-c
	}
	n.Done()
}

func main() {
	var done sync.WaitGroup
	c := make(chan int)
	for i := 0; i < stay; i++ {
		done.Add(2)
		labelled("park", i, func() { park(c, &done) })
		if i < 4 {
			labelled("spin", i, func() { spin(&done) })
		} else {
			done.Done()
		}
	}
	var churners sync.WaitGroup
	begun := make(chan int)
	for i := 0; i < 4; i++ {
		churners.Add(1)
		go churner(begun, &churners)
		<-begun
	}
	counts, missing, twice, wrong := 0, 0, 0, 0
	for i := 0; i < profiles; i++ {
		var b bytes.Buffer
		pprof.Lookup("goroutine").WriteTo(&b, 1)
		total, sum, seen := parse(b.String())
		if total != sum || total < stay+4+4+1 {
			counts++
			fmt.Println("count", total, sum)
		}
		there := map[string]int{}
		workers := 0
		for k, n := range seen {
			label, root, _ := strings.Cut(k, "} ")
			if root == "main.churner" || k == " main.churner" {
				workers += n // with the labels of a child that it makes, or none
			} else if label != k && n != 1 {
				twice++
			}
			switch {
			case strings.Contains(label, `"kind":"churn"`):
				if root != "" && !strings.HasPrefix(root, "main.churner") {
					wrong++
				}
			case strings.Contains(label, `"kind":`):
				there[label]++
				if root != "" && !strings.HasPrefix(root, "main.main") {
					wrong++
				}
			}
		}
		if workers != 4 {
			missing++
		}
		for j := 0; j < stay; j++ {
			if there[`{"id":"`+strconv.Itoa(j)+`", "kind":"park"`] != 1 {
				missing++
			}
		}
		for j := 0; j < 4; j++ {
			if there[`{"id":"`+strconv.Itoa(j)+`", "kind":"spin"`] != 1 {
				missing++
			}
		}
		if i%10 == 0 {
			p := make([]runtime.StackRecord, 200)
			n, ok := runtime.GoroutineProfile(p)
			if !ok || n < stay+9 || p[n-1].Stack0[0] == 0 || p[n].Stack0[0] != 0 {
				counts++
				fmt.Println("GoroutineProfile", n, ok)
			}
			n, ok = runtime.GoroutineProfile(p[:1])
			if ok || n < stay+9 {
				counts++
			}
		}
	}
	stop.Store(true)
	churners.Wait()
	close(c)
	done.Wait()
	fmt.Println("counts", counts, "missing", missing, "twice", twice, "wrong", wrong)
	fmt.Println(born.Load() >= churn)
}
