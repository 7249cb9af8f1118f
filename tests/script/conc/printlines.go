// run
// What one println writes stays together, whoever else prints.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
	"sync"
	"syscall"
)

const (
	printers = 8
	lines    = 300
)

var long = strings.Repeat("long ", 300)

func printer(n int, wg *sync.WaitGroup) {
	defer wg.Done()
	for i := 0; i < lines; i++ {
		switch i % 3 {
		case 0:
			println("line", n, i, n == i, 2.5, uint8(7), "end")
		case 1:
			print("line ", n, " ", i, " end\n")
		case 2:
			println("line", n, i, long, "end")
		}
	}
}

func main() {
	runtime.GOMAXPROCS(4)
	r, err := os.CreateTemp("", "printlines")
	if err != nil {
		panic(err)
	}
	defer os.Remove(r.Name())
	kept, _ := syscall.Dup(2)
	syscall.Dup2(int(r.Fd()), 2)
	var wg sync.WaitGroup
	wg.Add(printers)
	for n := 0; n < printers; n++ {
		go printer(n, &wg)
	}
	wg.Wait()
	syscall.Dup2(kept, 2)
	r.Seek(0, 0)
	next := [printers]int{}
	var kinds []string
	s := bufio.NewScanner(r)
	seen := map[string]bool{}
	for s.Scan() {
		var n, i int
		if _, err := fmt.Sscanf(s.Text(), "line %d %d", &n, &i); err != nil {
			fmt.Println(err, s.Text())
			continue
		}
		if next[n] != i {
			fmt.Println("printer", n, "line", i, "instead of", next[n])
		}
		next[n]++
		words := strings.Fields(s.Text())
		k := fmt.Sprint(len(words), words[3:len(words)-1])
		if !seen[k] && i != n {
			seen[k] = true
			kinds = append(kinds, fmt.Sprintf("%d %s %s", len(words), words[3], words[len(words)-1]))
		}
	}
	sort.Strings(kinds)
	fmt.Println(next)
	fmt.Println(strings.Join(kinds, "\n"))
}
