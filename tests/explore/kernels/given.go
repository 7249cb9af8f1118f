// end: end of the program
// status: 3
// within: 300
// input: one two three
// says: 3 words, 2 counted

package main

import (
	"bufio"
	"os"
	"sync"
)

// Each schedule reads the file that the program is given from its beginning.
func main() {
	s := bufio.NewScanner(os.Stdin)
	s.Split(bufio.ScanWords)
	var wg sync.WaitGroup
	var mu sync.Mutex
	words, counted := 0, 0
	for s.Scan() {
		words++
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			n := counted
			mu.Unlock()
			mu.Lock()
			counted = n + 1
			mu.Unlock()
		}()
	}
	wg.Wait()
	if words != 3 || counted == 2 {
		println(words, "words,", counted, "counted")
		os.Exit(3)
	}
}
