// run
// tree

// Random numbers from a seed are Go's.
package main

import (
	"fmt"
	"math/rand"
)

func main() {
	r := rand.New(rand.NewSource(7))
	fmt.Println(r.Perm(8), r.Intn(100), r.Int63(), r.NormFloat64(), r.ExpFloat64(), r.Float32())
	s := []int{1, 2, 3, 4, 5, 6}
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	fmt.Println(s)

	// Those of the package are others each time: of eight, not all are those of
	// seed 1.
	same, first := 0, rand.New(rand.NewSource(1))
	for i := 0; i < 8; i++ {
		if rand.Int63() == first.Int63() {
			same++
		}
	}
	fmt.Println(same)
}
