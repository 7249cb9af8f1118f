// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"math/big"
)

// Digits of pi by Gibbons' spigot.
func main() {
	one, ten := big.NewInt(1), big.NewInt(10)
	num, den, acc := big.NewInt(1), big.NewInt(1), big.NewInt(0)
	t, u := new(big.Int), new(big.Int)
	extract := func(n int64) int64 {
		t.Mul(num, u.SetInt64(n))
		t.Add(t, acc)
		return t.Div(t, den).Int64()
	}
	sum, digits := int64(0), 0
	for k := int64(1); digits < 4000; k++ {
		acc.Add(acc, t.Lsh(num, 1))
		acc.Mul(acc, u.SetInt64(2*k+1))
		den.Mul(den, u)
		num.Mul(num, u.SetInt64(k))
		if num.Cmp(acc) > 0 {
			continue
		}
		d := extract(3)
		if d != extract(4) {
			continue
		}
		sum = (sum*31 + d) % 1000003
		digits++
		acc.Sub(acc, t.Mul(den, u.SetInt64(d)))
		acc.Mul(acc, ten)
		num.Mul(num, ten)
	}
	fmt.Println(digits, sum, one)
}
