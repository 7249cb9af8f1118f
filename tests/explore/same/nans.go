// concurrent

// The order of a map's keys that are no numbers comes from the seed, as that
// of all others does.

package main

import (
	"fmt"
	"math"
)

type pair struct {
	f float64
	v any
}

func main() {
	floats := map[float64]int{}
	complexes := map[complex128]int{}
	pairs := map[pair]int{}
	for i := 0; i < 100; i++ {
		floats[math.NaN()] = i
		complexes[complex(float64(i%3), math.NaN())] = i
		pairs[pair{1, math.NaN()}] = i
	}
	for _, i := range floats {
		fmt.Print(i, " ")
	}
	for _, i := range complexes {
		fmt.Print(i, " ")
	}
	for _, i := range pairs {
		fmt.Print(i, " ")
	}
	fmt.Println(len(floats), len(complexes), len(pairs))
}
