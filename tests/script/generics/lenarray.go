// run

// The length of a large array whose type is a parameter.
package main

import "fmt"

type p struct{ a [12]uint64 }

func (q *p) set(n uint64) {
	for i := range q.a {
		q.a[i] = n
	}
}

type arrays interface{ [4]p | [20000]p }

func f[B arrays](n int) int {
	var b B
	for i := 0; i < len(b); i++ {
		b[i].set(uint64(i))
	}
	return int(b[len(b)-1].a[0])
}

func g() int {
	var b [20000]p
	for i := 0; i < len(b); i++ {
		b[i].set(uint64(i))
	}
	return int(b[19999].a[0])
}

func h[B arrays](b *B) (int, int) {
	c := *b
	return cap(c), len((c))
}

func main() {
	fmt.Println(g(), f[[4]p](1), f[[20000]p](1))
	fmt.Println(h(new([4]p)))
	fmt.Println(h(new([20000]p)))
}
