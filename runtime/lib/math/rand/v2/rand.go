// SPDX-License-Identifier: MIT

// Package rand has pseudo-random numbers, not fit for secrets. What a seeded
// source and the methods of Rand give is the same everywhere; the top-level
// functions have a generator of their own, which any goroutine may draw from
// at any time.
package rand

import "math/bits"

// A Source makes uniform 64-bit numbers.
type Source interface {
	Uint64() uint64
}

// A Rand makes random numbers from a Source.
type Rand struct {
	src Source
}

// New returns a Rand over src.
func New(src Source) *Rand { return &Rand{src} }

// shared is what the top-level functions draw from.
type shared struct{}

func (shared) Uint64() uint64 { return runtimeRand() }

//go:linkname runtimeRand runtime.rand
func runtimeRand() uint64

var global = Rand{shared{}}

// Uint64 returns any uint64.
func (r *Rand) Uint64() uint64 { return r.src.Uint64() }

// Int64 returns a number in [0, 1<<63).
func (r *Rand) Int64() int64 { return int64(r.src.Uint64() << 1 >> 1) }

// Uint32 returns any uint32.
func (r *Rand) Uint32() uint32 { return uint32(r.src.Uint64() >> 32) }

// Int32 returns a number in [0, 1<<31).
func (r *Rand) Int32() int32 { return int32(r.src.Uint64() >> 33) }

// Int returns a number that is not negative.
func (r *Rand) Int() int { return int(r.Int64()) }

// Uint returns any uint.
func (r *Rand) Uint() uint { return uint(r.src.Uint64()) }

// below returns a number in [0, n), n not 0. It multiplies a random number by
// n, takes the upper half and throws away what would favour some results
// (Lemire, arXiv:1805.10941).
func (r *Rand) below(n uint64) uint64 {
	if n&(n-1) == 0 {
		return r.src.Uint64() & (n - 1)
	}
	hi, lo := bits.Mul64(r.src.Uint64(), n)
	if lo < n {
		for least := -n % n; lo < least; {
			hi, lo = bits.Mul64(r.src.Uint64(), n)
		}
	}
	return hi
}

// Int64N returns a number in [0, n).
func (r *Rand) Int64N(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int64N")
	}
	return int64(r.below(uint64(n)))
}

// Uint64N returns a number in [0, n).
func (r *Rand) Uint64N(n uint64) uint64 {
	if n == 0 {
		panic("invalid argument to Uint64N")
	}
	return r.below(n)
}

// Int32N returns a number in [0, n).
func (r *Rand) Int32N(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int32N")
	}
	return int32(r.below(uint64(n)))
}

// Uint32N returns a number in [0, n).
func (r *Rand) Uint32N(n uint32) uint32 {
	if n == 0 {
		panic("invalid argument to Uint32N")
	}
	return uint32(r.below(uint64(n)))
}

// IntN returns a number in [0, n).
func (r *Rand) IntN(n int) int {
	if n <= 0 {
		panic("invalid argument to IntN")
	}
	return int(r.below(uint64(n)))
}

// UintN returns a number in [0, n).
func (r *Rand) UintN(n uint) uint {
	if n == 0 {
		panic("invalid argument to UintN")
	}
	return uint(r.below(uint64(n)))
}

// Float64 returns a number in [0, 1).
func (r *Rand) Float64() float64 { return float64(r.src.Uint64()<<11>>11) / (1 << 53) }

// Float32 returns a number in [0, 1).
func (r *Rand) Float32() float32 { return float32(r.Uint32()<<8>>8) / (1 << 24) }

// Perm returns the numbers from 0 to n-1 in random order.
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	r.Shuffle(n, func(i, j int) { p[i], p[j] = p[j], p[i] })
	return p
}

// Shuffle brings n elements into random order by calls of swap.
func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	for i := n - 1; i > 0; i-- {
		swap(i, int(r.below(uint64(i+1))))
	}
}

// Int64 returns a number in [0, 1<<63).
func Int64() int64 { return global.Int64() }

// Uint32 returns any uint32.
func Uint32() uint32 { return global.Uint32() }

// Uint64 returns any uint64.
func Uint64() uint64 { return global.Uint64() }

// Int32 returns a number in [0, 1<<31).
func Int32() int32 { return global.Int32() }

// Int returns a number that is not negative.
func Int() int { return global.Int() }

// Uint returns any uint.
func Uint() uint { return global.Uint() }

// Int64N returns a number in [0, n).
func Int64N(n int64) int64 { return global.Int64N(n) }

// Uint64N returns a number in [0, n).
func Uint64N(n uint64) uint64 { return global.Uint64N(n) }

// Int32N returns a number in [0, n).
func Int32N(n int32) int32 { return global.Int32N(n) }

// Uint32N returns a number in [0, n).
func Uint32N(n uint32) uint32 { return global.Uint32N(n) }

// IntN returns a number in [0, n).
func IntN(n int) int { return global.IntN(n) }

// UintN returns a number in [0, n).
func UintN(n uint) uint { return global.UintN(n) }

type intType interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// N returns a number in [0, n), for any integer type: rand.N(time.Minute).
func N[Int intType](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(global.below(uint64(n)))
}

// Float64 returns a number in [0, 1).
func Float64() float64 { return global.Float64() }

// Float32 returns a number in [0, 1).
func Float32() float32 { return global.Float32() }

// Perm returns the numbers from 0 to n-1 in random order.
func Perm(n int) []int { return global.Perm(n) }

// Shuffle brings n elements into random order by calls of swap.
func Shuffle(n int, swap func(i, j int)) { global.Shuffle(n, swap) }

// NormFloat64 returns a number of the standard normal distribution.
func NormFloat64() float64 { return global.NormFloat64() }

// ExpFloat64 returns a number of the exponential distribution of rate 1.
func ExpFloat64() float64 { return global.ExpFloat64() }
