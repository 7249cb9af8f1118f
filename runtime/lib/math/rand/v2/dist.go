// SPDX-License-Identifier: MIT

package rand

import (
	"math"
	"sync"
)

// The normal and the exponential distribution are drawn by the ziggurat of
// Marsaglia and Tsang (2000): the density is covered by layers of equal area,
// and a point in a layer is nearly always below it.
const (
	normalEnd   = 3.442619855899
	normalArea  = 9.91256303526217e-3
	normalSteps = 128
	expEnd      = 7.69711747013104972
	expArea     = 3.949659822581572e-3
	expSteps    = 256
)

// layers has for each layer: below which number a point is under the density
// for sure, the width by which a number is scaled, and the density at its end.
type layers struct {
	sure    []uint32
	width   []float32
	density []float32
}

// makeLayers cuts the area under f, whose inverse is g, into n layers of the
// given area; numbers go up to scale.
func makeLayers(n int, end, area, scale float64, f, g func(float64) float64) layers {
	l := layers{make([]uint32, n), make([]float32, n), make([]float32, n)}
	x, outer := end, end
	q := area / f(x)
	l.sure[0] = uint32(x / q * scale)
	l.width[0], l.width[n-1] = float32(q/scale), float32(x/scale)
	l.density[0], l.density[n-1] = 1, float32(f(x))
	for i := n - 2; i > 0; i-- {
		x = g(area/x + f(x))
		l.sure[i+1] = uint32(x / outer * scale)
		outer = x
		l.width[i], l.density[i] = float32(x/scale), float32(f(x))
	}
	return l
}

var normal = sync.OnceValue(func() layers {
	return makeLayers(normalSteps, normalEnd, normalArea, 1<<31,
		func(x float64) float64 { return math.Exp(-.5 * x * x) },
		func(y float64) float64 { return math.Sqrt(-2 * math.Log(y)) })
})

var exponential = sync.OnceValue(func() layers {
	return makeLayers(expSteps, expEnd, expArea, 1<<32,
		func(x float64) float64 { return math.Exp(-x) },
		func(y float64) float64 { return -math.Log(y) })
})

// NormFloat64 returns a number of the standard normal distribution.
func (r *Rand) NormFloat64() float64 {
	l := normal()
	for {
		u := r.src.Uint64()
		j := int32(u)
		i := u >> 32 % normalSteps
		x := float64(j) * float64(l.width[i])
		size := uint32(j)
		if j < 0 {
			size = -size
		}
		if size < l.sure[i] {
			return x
		}
		if i == 0 {
			return r.normalTail(j > 0)
		}
		if l.density[i]+float32(r.Float64())*(l.density[i-1]-l.density[i]) < float32(math.Exp(-.5*x*x)) {
			return x
		}
	}
}

// normalTail draws from what lies beyond the last layer.
func (r *Rand) normalTail(positive bool) float64 {
	for {
		x := -math.Log(r.Float64()) * (1.0 / normalEnd)
		y := -math.Log(r.Float64())
		if y+y >= x*x {
			if positive {
				return normalEnd + x
			}
			return -normalEnd - x
		}
	}
}

// ExpFloat64 returns a number of the exponential distribution of rate 1.
func (r *Rand) ExpFloat64() float64 {
	l := exponential()
	for {
		u := r.src.Uint64()
		j, i := uint32(u), uint8(u>>32)
		x := float64(j) * float64(l.width[i])
		if j < l.sure[i] {
			return x
		}
		if i == 0 {
			return expEnd - math.Log(r.Float64())
		}
		if l.density[i]+float32(r.Float64())*(l.density[i-1]-l.density[i]) < float32(math.Exp(-x)) {
			return x
		}
	}
}

// A Zipf draws from a Zipf distribution by rejection-inversion (Hörmann and
// Derflinger, 1996).
type Zipf struct {
	r          *Rand
	s, v       float64
	slope      float64 // 1 - s
	cut        float64 // what is so near to its integer is taken at once
	last, span float64 // of the integral
}

// NewZipf returns a Zipf whose numbers k in [0, imax] have probabilities in
// proportion to (v+k)**-s; nil unless s > 1 and v >= 1.
func NewZipf(r *Rand, s float64, v float64, imax uint64) *Zipf {
	if s <= 1 || v < 1 {
		return nil
	}
	z := &Zipf{r: r, s: s, v: v, slope: 1 - s}
	z.last = z.integral(float64(imax) + 0.5)
	z.span = z.integral(0.5) - math.Exp(math.Log(v)*-s) - z.last
	z.cut = 1 - z.inverse(z.integral(1.5)-math.Exp(-s*math.Log(v+1)))
	return z
}

func (z *Zipf) integral(x float64) float64 {
	return math.Exp(z.slope*math.Log(z.v+x)) * (1 / z.slope)
}

func (z *Zipf) inverse(x float64) float64 {
	return math.Exp(1/z.slope*math.Log(z.slope*x)) - z.v
}

// Uint64 returns the next number.
func (z *Zipf) Uint64() uint64 {
	if z == nil {
		panic("rand: nil Zipf")
	}
	for {
		u := z.last + z.r.Float64()*z.span
		x := z.inverse(u)
		k := math.Floor(x + 0.5)
		if k-x <= z.cut || u >= z.integral(k+0.5)-math.Exp(-math.Log(k+z.v)*z.s) {
			return uint64(k)
		}
	}
}
