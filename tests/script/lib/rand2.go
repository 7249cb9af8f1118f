// run
// SPDX-License-Identifier: MIT

// Package math/rand/v2: seeded sequences are Go's, of both sources and of all
// distributions; states go through MarshalBinary.
package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"time"
)

func draw(r *rand.Rand, n int) {
	h := fnv.New64a()
	for i := range n {
		fmt.Fprint(h, r.Uint64(), r.Int(), r.Int64(), r.Uint32(), r.Int32(), r.Uint(), r.IntN(i+1), r.Int64N(1<<62+1), r.Uint64N(1<<63+7),
			r.Int32N(1000), r.Uint32N(uint32(i)+3e9), r.UintN(7), r.Float64(), r.Float32(), r.NormFloat64(), r.ExpFloat64(), " ")
	}
	fmt.Printf("%x %v\n", h.Sum64(), r.Perm(10))
}

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	p := rand.NewPCG(1, 2)
	r := rand.New(p)
	fmt.Println(r.Uint64(), r.IntN(100), r.Float64(), r.NormFloat64(), r.ExpFloat64())
	draw(r, 300)
	c := rand.NewChaCha8([32]byte([]byte("chacha8: 32-byte seed for a test")))
	draw(rand.New(c), 300)
	z := rand.NewZipf(r, 1.2, 2, 500)
	var zs []uint64
	for range 20 {
		zs = append(zs, z.Uint64())
	}
	fmt.Println(zs, rand.NewZipf(r, 1, 2, 3) == nil)
	state, err := p.MarshalBinary()
	fmt.Printf("%q %v\n", state, err)
	q := new(rand.PCG)
	fmt.Println(q.UnmarshalBinary(state), q.Uint64() == p.Uint64(), q.UnmarshalBinary(state[1:]))
	b := make([]byte, 13)
	c.Read(b)
	state, err = c.MarshalBinary()
	fmt.Printf("%x\n%q %v\n", b, state, err)
	d := new(rand.ChaCha8)
	fmt.Println(d.UnmarshalBinary(state), d.UnmarshalBinary(state[3:]), d.UnmarshalBinary([]byte("chacha8:")))
	d.Read(b)
	fmt.Printf("%x %d\n", b, d.Uint64())
	for range 200 {
		d.Uint64()
		state, _ = d.MarshalBinary()
		if d = new(rand.ChaCha8); d.UnmarshalBinary(state) != nil {
			fmt.Println("bad state")
		}
	}
	fmt.Println(d.Uint64())
	for range 1000 {
		t := rand.N(10 * time.Second)
		x := rand.N[int8](5)
		f := rand.Float64()
		if t < 0 || t >= 10*time.Second || x < 0 || x > 4 || f < 0 || f >= 1 || rand.IntN(3) > 2 || math.IsNaN(rand.NormFloat64()+rand.ExpFloat64()) {
			fmt.Println("out of range", t, x, f)
		}
	}
	s := []int{1, 2, 3, 4, 5, 6}
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	fmt.Println(s, len(rand.Perm(9)))
	try(func() { rand.IntN(0) })
	try(func() { rand.N(0) })
	try(func() { rand.Int64N(-1) })
	try(func() { rand.Uint32N(0) })
	try(func() { rand.Shuffle(-1, nil) })
}
