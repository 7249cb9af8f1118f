// run
// tree

// math/big from a tree of Go's sources: its form without assembly.
package main

import (
	"fmt"
	"math"
	"math/big"
)

func main() {
	f := big.NewInt(1)
	for i := int64(2); i <= 60; i++ {
		f.Mul(f, big.NewInt(i))
	}
	fmt.Println(f)
	q, r := new(big.Int).QuoRem(f, big.NewInt(1_000_003), new(big.Int))
	fmt.Println(q, r, f.BitLen())
	p, _ := new(big.Int).SetString("170141183460469231731687303715884105727", 10)
	fmt.Println(p.ProbablyPrime(20), new(big.Int).Exp(big.NewInt(3), f, p))
	fmt.Printf("%x %s\n", p, new(big.Int).Sqrt(p))
	fmt.Println(new(big.Int).GCD(nil, nil, f, big.NewInt(123456789*49)))
	a, b := big.NewRat(1, 3), big.NewRat(3, 7)
	fmt.Println(new(big.Rat).Add(a, b), new(big.Rat).Quo(a, b).FloatString(12))
	x := new(big.Float).SetPrec(200).SetInt64(2)
	fmt.Println(x.Sqrt(x).Text('g', 50))
	_, acc := big.NewFloat(math.Pi).Float32()
	fmt.Println(acc)
	defer func() { fmt.Println(recover()) }()
	new(big.Int).Div(f, new(big.Int))
}
