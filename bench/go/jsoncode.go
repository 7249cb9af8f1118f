// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"fmt"
)

type item struct {
	ID    int                `json:"id"`
	Name  string             `json:"name"`
	Tags  []string           `json:"tags,omitempty"`
	Price float64            `json:"price"`
	Parts map[string]float64 `json:"parts"`
	Next  *item              `json:"next"`
}

// Writes structures as JSON and reads them again.
func main() {
	var all []*item
	for i := range 2000 {
		it := &item{ID: i, Name: fmt.Sprint("item ", i), Price: float64(i) / 3,
			Parts: map[string]float64{"a": 1, "b": float64(i)}}
		if i%2 == 0 {
			it.Tags = []string{"red", "green", "blue"}
			it.Next = &item{ID: -i, Name: "<next>"}
		}
		all = append(all, it)
	}
	sum := 0
	for range 8 {
		b, err := json.Marshal(all)
		if err != nil {
			fmt.Println(err)
			return
		}
		var back []*item
		if err := json.Unmarshal(b, &back); err != nil {
			fmt.Println(err)
			return
		}
		var free any
		if err := json.Unmarshal(b, &free); err != nil {
			fmt.Println(err)
			return
		}
		sum += len(b) + len(back) + len(free.([]any))
		all = back
	}
	fmt.Println(sum, all[4].Next.ID, all[7].Parts["b"])
}
