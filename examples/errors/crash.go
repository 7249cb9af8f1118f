// SPDX-License-Identifier: MIT

// A nil pointer in a goroutine: what a panic looks like.
package main

import "fmt"

type account struct{ balance int }

func total(list []*account) int {
	sum := 0
	for _, a := range list {
		sum += a.balance
	}
	return sum
}

func main() {
	done := make(chan int)
	go func() {
		list := make([]*account, 3)
		list[0] = &account{10}
		done <- total(list)
	}()
	fmt.Println("sum:", <-done)
}
