// run
package main

import (
	"fmt"
	"os"
	"strings"
)

// Hot enough to become machine code.
func work(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += i ^ sum>>3
	}
	return sum
}

// No page of memory is both writable and executable.
func main() {
	work(1000000)
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range strings.Split(string(maps), "\n") {
		f := strings.Fields(line)
		if len(f) > 1 && strings.Contains(f[1], "w") && strings.Contains(f[1], "x") {
			fmt.Println("writable and executable:", line)
		}
	}
	fmt.Println("looked at", len(maps) > 0)
}
