// concurrent

// Nothing orders the accesses: what is lost is the schedule's choice, at the
// accesses themselves where they are points (-race).

package main

import "fmt"

type node struct {
	n    int
	next *node
}

func main() {
	var x int
	var list *node
	m := map[int]*[2]int{1: {}}
	s := make([]int, 0, 100)
	done := make(chan bool)
	for i := 0; i < 4; i++ {
		go func() {
			for k := 0; k < 20; k++ {
				x = x + 1
				list = &node{i, list}
				m[1][i%2]++
				s = append(s, i)
			}
			done <- true
		}()
	}
	for i := 0; i < 4; i++ {
		<-done
	}
	n := 0
	for ; list != nil; list = list.next {
		n++
	}
	fmt.Println(x, n, *m[1], s)
}
