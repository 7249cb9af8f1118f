// run

// Labels of contexts and goroutines.

package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"sort"
	"strings"
	"sync"
)

func list(ctx context.Context) string {
	s := ""
	pprof.ForLabels(ctx, func(k, v string) bool {
		s += k + "=" + v + ";"
		return true
	})
	return s
}

// carried returns the labels of all goroutines as the profile shows them,
// with how many have them.
func carried() []string {
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	count := map[string]int{}
	n := 0
	for _, line := range strings.Split(b.String(), "\n") {
		if i := strings.Index(line, " @ "); i > 0 {
			fmt.Sscan(line[:i], &n)
		}
		if strings.HasPrefix(line, "# labels: ") {
			count[line[10:]] += n
		}
	}
	var all []string
	for l, n := range count {
		all = append(all, fmt.Sprint(n, " ", l))
	}
	sort.Strings(all)
	return all
}

func main() {
	bg := context.Background()
	a := pprof.WithLabels(bg, pprof.Labels("b", "1", "a", "2", "b", "3"))
	fmt.Println(list(a), list(bg) == "")
	fmt.Println(a)
	b := pprof.WithLabels(a, pprof.Labels("c", "1", "a", "9"))
	fmt.Println(list(b), list(a))
	fmt.Println(list(pprof.WithLabels(b, pprof.Labels())))
	fmt.Println(pprof.Label(b, "a"))
	fmt.Println(pprof.Label(b, "z"))
	fmt.Println(pprof.Label(bg, "a"))
	n := 0
	pprof.ForLabels(b, func(k, v string) bool { n++; return n < 2 })
	fmt.Println(n)
	fmt.Printf("%v\n", pprof.Labels("x", "y", "p", "q"))
	func() {
		defer func() { fmt.Println(recover()) }()
		pprof.Labels("odd")
	}()

	fmt.Println(carried())
	pprof.Do(b, pprof.Labels("k", `quo"te`, "nl", "a\nb"), func(ctx context.Context) {
		fmt.Println(list(ctx) != "")
		fmt.Println(carried())
		// A new goroutine has its creator's, and changes only its own.
		var wg sync.WaitGroup
		here, step := make(chan bool), make(chan bool)
		for i := 0; i < 3; i++ {
			wg.Add(1)
			go func(i int) {
				defer wg.Done()
				if i == 2 {
					pprof.SetGoroutineLabels(pprof.WithLabels(bg, pprof.Labels("own", "yes")))
				}
				here <- true
				<-step
			}(i)
		}
		for i := 0; i < 3; i++ {
			<-here
		}
		for _, s := range carried() {
			fmt.Println(s)
		}
		close(step)
		wg.Wait()
		pprof.SetGoroutineLabels(bg)
		fmt.Println(carried())
	})
	// Do leaves the labels of its context behind, not those from before.
	fmt.Println(carried())
	pprof.SetGoroutineLabels(bg)
	fmt.Println(carried())
	func() {
		defer func() {
			fmt.Println(recover(), carried())
		}()
		pprof.Do(a, pprof.Labels("in", "panic"), func(context.Context) { panic("out") })
	}()
	// Non-ASCII text and empty strings.
	pprof.Do(bg, pprof.Labels("ключ", "значение", "", "empty"), func(context.Context) {
		fmt.Println(carried())
	})
	fmt.Println(carried())
}
