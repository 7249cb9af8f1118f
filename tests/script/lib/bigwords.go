// run

package main

import (
	"fmt"
	"hash/fnv"
	"math/big"
)

// Numbers of each length from no word to some more than are done at once, with
// carries that go all the way, in place and not.

var seed uint64 = 1

func next() uint64 {
	seed ^= seed << 13
	seed ^= seed >> 7
	seed ^= seed << 17
	return seed
}

// number has n words; some kinds have words that are all ones or all zeros.
func number(n, kind int) *big.Int {
	words := make([]big.Word, n)
	for i := range words {
		switch kind {
		case 0:
			words[i] = big.Word(next())
		case 1:
			words[i] = ^big.Word(0)
		case 2:
			words[i] = -big.Word(next() & 1)
		default:
			words[i] = 0
		}
	}
	if n > 0 && words[n-1] == 0 {
		words[n-1] = 1
	}
	return new(big.Int).SetBits(words)
}

func main() {
	for kind := range 4 {
		h := fnv.New64a()
		put := func(x *big.Int) {
			h.Write(x.Bytes())
			fmt.Fprint(h, x.Sign(), x.BitLen())
		}
		for n := range 23 {
			for m := max(0, n-5); m <= n+5; m++ {
				x, y := number(n, kind), number(m, (kind+m)%4)
				sum := new(big.Int).Add(x, y)
				put(sum)
				if new(big.Int).Sub(sum, y).Cmp(x) != 0 {
					fmt.Println("sum", n, m)
				}
				put(new(big.Int).Sub(x, y))
				p := new(big.Int).Mul(x, y)
				put(p)
				if y.Sign() != 0 {
					q, r := new(big.Int).QuoRem(new(big.Int).Add(p, big.NewInt(5)), y, new(big.Int))
					put(q)
					put(r)
				}
				for _, s := range []uint{0, 1, 7, 31, 63, 64, 65, 127, 128, 200} {
					l := new(big.Int).Lsh(x, s)
					put(l)
					put(new(big.Int).Rsh(x, s))
					if new(big.Int).Rsh(l, s).Cmp(x) != 0 {
						fmt.Println("shift", n, s)
					}
					z := new(big.Int).Set(x)
					put(z.Lsh(z, s))
					put(z.Rsh(z, s+3))
				}
				z := new(big.Int).Set(x)
				put(z.Add(z, y))
				put(z.Sub(z, y))
				put(z.Sub(y, z))
				put(z.Mul(z, big.NewInt(0x7fffffff12345678)))
				put(z.Mul(z, z))
				put(z.Add(z, big.NewInt(1)))
				put(z.Sub(z, big.NewInt(2)))
				if m > 0 && y.Bit(0) == 1 {
					put(z.Exp(big.NewInt(3), x, y))
				}
			}
		}
		fmt.Printf("%d %x\n", kind, h.Sum64())
	}
}
