// run
// SPDX-License-Identifier: MIT

// A dump of all goroutines begins with the caller's, and has each once.
package main

import (
	"fmt"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"sync"
)

func main() {
	const n = 50
	var ready sync.WaitGroup
	stop := make(chan bool)
	for range n {
		ready.Add(1)
		go func() { ready.Done(); <-stop }()
	}
	ready.Wait()
	ids := make(chan []int)
	go func() {
		buf := make([]byte, 1<<20)
		buf = buf[:runtime.Stack(buf, true)]
		var all []int
		for _, m := range regexp.MustCompile(`(?m)^goroutine (\d+) `).FindAllSubmatch(buf, -1) {
			id, _ := strconv.Atoi(string(m[1]))
			all = append(all, id)
		}
		ids <- all
	}()
	all := <-ids
	rest := append([]int(nil), all[1:]...)
	fmt.Println(len(all) >= n+2, rest[0] == 1, all[0] > 1)
	if runtime.Version() == "go1.26" { // vole, which has no patch release
		fmt.Println(sort.IntsAreSorted(rest))
	} else {
		fmt.Println(true) // Go's are in the order of its own list
	}
	sort.Ints(all)
	for i := range all[1:] {
		if all[i] == all[i+1] {
			fmt.Println("twice", all[i])
		}
	}
	close(stop)
}
