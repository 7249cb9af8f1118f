// SPDX-License-Identifier: MIT

// Package rand has pseudo-random numbers, not fit for secrets. For a given
// seed the sequence is not that of other implementations. The generator is
// xoshiro256** (Blackman and Vigna, 2018), seeded by SplitMix64; until Seed
// is used the top-level functions have a generator of one word, which any
// goroutine may draw from at any time. The natives are in native.c.
package rand

import (
	"math"
	"sync"
)

// A Source makes uniform numbers in [0, 1<<63).
type Source interface {
	Int63() int64
	Seed(seed int64)
}

// A Source64 makes uniform 64-bit numbers too.
type Source64 interface {
	Source
	Uint64() uint64
}

// state is a generator.
type state struct {
	s0, s1, s2, s3 uint64
}

// seedState sets s from the seed; next draws a number.
//
//race:writes s
func seedState(s *state, seed int64)

//race:writes s
func next(s *state) uint64

// sharedNext draws a number from a one-word generator, atomically; entropy
// is random bits from the system.
//
//race:inner
func sharedNext(s *uint64) uint64

//race:none
func entropy() uint64

var shared = entropy()

func (s *state) Seed(seed int64) { seedState(s, seed) }
func (s *state) Uint64() uint64  { return next(s) }
func (s *state) Int63() int64    { return int64(next(s) >> 1) }

// NewSource returns a Source with the seed.
func NewSource(seed int64) Source {
	s := new(state)
	seedState(s, seed)
	return s
}

// A Rand makes random numbers from a Source.
type Rand struct {
	src Source
	s64 Source64 // src if it is one
	s   *state   // src if it is ours
	// Read hands out the bytes of one number one by one.
	readVal uint64
	readPos int8
}

// New returns a Rand over src.
func New(src Source) *Rand {
	r := &Rand{src: src}
	r.s64, _ = src.(Source64)
	r.s, _ = src.(*state)
	return r
}

// Seed restarts the source.
func (r *Rand) Seed(seed int64) {
	r.src.Seed(seed)
	r.readPos = 0
}

// Int63 returns a number in [0, 1<<63).
func (r *Rand) Int63() int64 {
	if r.s != nil {
		return int64(next(r.s) >> 1)
	}
	return r.src.Int63()
}

// Uint32 returns any uint32.
func (r *Rand) Uint32() uint32 { return uint32(r.Int63() >> 31) }

// Uint64 returns any uint64.
func (r *Rand) Uint64() uint64 {
	if r.s64 != nil {
		return r.s64.Uint64()
	}
	return uint64(r.Int63())>>31 | uint64(r.Int63())<<32
}

// Int31 returns a number in [0, 1<<31).
func (r *Rand) Int31() int32 { return int32(r.Int63() >> 32) }

// Int returns a number that is not negative.
func (r *Rand) Int() int { return int(uint(r.Int63())) }

// Int63n returns a number in [0, n).
func (r *Rand) Int63n(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int63n")
	}
	if n&(n-1) == 0 {
		return r.Int63() & (n - 1)
	}
	// Values past the last whole multiple of n would favour some results.
	limit := int64(1<<63 - 1 - 1<<63%uint64(n))
	v := r.Int63()
	for v > limit {
		v = r.Int63()
	}
	return v % n
}

// Int31n returns a number in [0, n).
func (r *Rand) Int31n(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int31n")
	}
	return int32(r.Int63n(int64(n)))
}

// Intn returns a number in [0, n).
func (r *Rand) Intn(n int) int {
	if n <= 0 {
		panic("invalid argument to Intn")
	}
	return int(r.Int63n(int64(n)))
}

// Float64 returns a number in [0, 1).
func (r *Rand) Float64() float64 { return float64(r.Int63()>>10) / (1 << 53) }

// Float32 returns a number in [0, 1).
func (r *Rand) Float32() float32 { return float32(r.Int63()>>39) / (1 << 24) }

// Perm returns the numbers from 0 to n-1 in random order.
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := r.Intn(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}

// Shuffle puts n elements in random order by swap.
func (r *Rand) Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	for i := n - 1; i > 0; i-- {
		swap(i, int(r.Int63n(int64(i+1))))
	}
}

// Read fills p with random bytes; the error is always nil.
func (r *Rand) Read(p []byte) (n int, err error) {
	for i := range p {
		if r.readPos == 0 {
			r.readVal = uint64(r.Int63())
			r.readPos = 7
		}
		p[i] = byte(r.readVal)
		r.readVal >>= 8
		r.readPos--
	}
	return len(p), nil
}

// NormFloat64 returns a number of the standard normal distribution, by the
// polar method of Marsaglia.
func (r *Rand) NormFloat64() float64 {
	for {
		u := 2*r.Float64() - 1
		v := 2*r.Float64() - 1
		s := u*u + v*v
		if s > 0 && s < 1 {
			return u * math.Sqrt(-2*math.Log(s)/s)
		}
	}
}

// ExpFloat64 returns a number of the exponential distribution with rate 1.
func (r *Rand) ExpFloat64() float64 {
	return -math.Log(1 - r.Float64())
}

// sharedSource is the source of the top-level functions until Seed is used.
type sharedSource struct{}

func (sharedSource) Seed(seed int64) {}
func (sharedSource) Uint64() uint64  { return sharedNext(&shared) }
func (sharedSource) Int63() int64    { return int64(sharedNext(&shared) >> 1) }

// lockedSource is the source of the top-level functions after Seed.
type lockedSource struct {
	mu sync.Mutex
	s  state
}

func (l *lockedSource) Seed(seed int64) {
	l.mu.Lock()
	seedState(&l.s, seed)
	l.mu.Unlock()
}

func (l *lockedSource) Uint64() uint64 {
	l.mu.Lock()
	v := next(&l.s)
	l.mu.Unlock()
	return v
}

func (l *lockedSource) Int63() int64 { return int64(l.Uint64() >> 1) }

var global = New(sharedSource{})

// Seed makes the top-level functions repeatable.
func Seed(seed int64) {
	l := new(lockedSource)
	l.Seed(seed)
	global = New(l)
}

// The top-level functions are those of Rand on a shared source.

func Int63() int64                       { return global.Int63() }
func Uint32() uint32                     { return global.Uint32() }
func Uint64() uint64                     { return global.Uint64() }
func Int31() int32                       { return global.Int31() }
func Int() int                           { return global.Int() }
func Int63n(n int64) int64               { return global.Int63n(n) }
func Int31n(n int32) int32               { return global.Int31n(n) }
func Intn(n int) int                     { return global.Intn(n) }
func Float64() float64                   { return global.Float64() }
func Float32() float32                   { return global.Float32() }
func Perm(n int) []int                   { return global.Perm(n) }
func Shuffle(n int, swap func(i, j int)) { global.Shuffle(n, swap) }
func NormFloat64() float64               { return global.NormFloat64() }
func ExpFloat64() float64                { return global.ExpFloat64() }

// Read fills p with random bytes; the error is always nil.
func Read(p []byte) (n int, err error) {
	for i := 0; i < len(p); {
		v := sharedNext(&shared)
		for k := 0; k < 8 && i < len(p); k++ {
			p[i] = byte(v)
			v >>= 8
			i++
		}
	}
	return len(p), nil
}

// A Zipf makes numbers k with probability proportional to (v + k) ** -s, by
// the rejection-inversion of Hoermann and Derflinger (1996).
type Zipf struct {
	r                *Rand
	imax, v, q       float64
	oneMinusQ, inv   float64
	hx0, hxm, cutoff float64
}

// NewZipf returns a Zipf over [0, imax]; s > 1 and v >= 1, otherwise nil.
func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf {
	if s <= 1.0 || v < 1 {
		return nil
	}
	z := &Zipf{r: r, imax: float64(imax), v: v, q: s}
	z.oneMinusQ = 1 - s
	z.inv = 1 / z.oneMinusQ
	z.hxm = z.h(z.imax + 0.5)
	z.hx0 = z.h(0.5) - math.Exp(math.Log(v)*-s) - z.hxm
	z.cutoff = 1 - z.hinv(z.h(1.5)-math.Exp(-s*math.Log(v+1)))
	return z
}

func (z *Zipf) h(x float64) float64 {
	return math.Exp(z.oneMinusQ*math.Log(z.v+x)) * z.inv
}

func (z *Zipf) hinv(x float64) float64 {
	return math.Exp(z.inv*math.Log(z.oneMinusQ*x)) - z.v
}

// Uint64 returns the next number.
func (z *Zipf) Uint64() uint64 {
	if z == nil {
		panic("rand: nil Zipf")
	}
	for {
		u := z.hxm + z.r.Float64()*z.hx0
		x := z.hinv(u)
		k := math.Floor(x + 0.5)
		if k-x <= z.cutoff ||
			u >= z.h(k+0.5)-math.Exp(-math.Log(k+z.v)*z.q) {
			return uint64(k)
		}
	}
}
