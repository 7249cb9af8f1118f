// run

// Floats as text and back, in every precision, of every kind and size: the
// sum is that of the real strconv.
package main

import (
	"fmt"
	"hash/fnv"
	"math"

	"strconv"
)

func main() {
	const n = 100000
	x := uint64(88172645463325252)
	next := func() uint64 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		return x
	}
	h := fnv.New64a()
	var buf []byte
	verbs := "efgEG"
	for i := 0; i < n; i++ {
		var f float64
		u := next()
		switch i % 8 {
		case 0:
			f = math.Float64frombits(u)
		case 1:
			f = float64(u%1000000) / 100
		case 2:
			f = float64(u%100000000) / 1000 * 1.1
		case 3:
			f = float64(int64(u >> (next() & 63)))
		case 4:
			f = float64(u) / float64(next()|1)
		case 5:
			f = float64(u&0xffff+1) * math.Pow(10, float64(int(next()%80))-40)
		case 6:
			f = float64(u%4096) / 1024 // ties
		case 7:
			f = math.Float64frombits(u&^(1<<52-1) | next()&3)
		}
		if f != f {
			continue
		}
		v := verbs[next()%5]
		p := int(next() % 24)
		buf = strconv.AppendFloat(buf[:0], f, v, -1, 64)
		buf = append(buf, ' ')
		k := len(buf)
		buf = strconv.AppendFloat(buf, f, v, p, 64)
		if g, err := strconv.ParseFloat(string(buf[k:]), 64); err == nil {
			buf = strconv.AppendUint(append(buf, ' '), math.Float64bits(g), 16)
		}
		g, err := strconv.ParseFloat(string(buf[k:]), 32)
		if err == nil {
			buf = strconv.AppendUint(append(buf, ' '), uint64(math.Float32bits(float32(g))), 16)
		}
		f32 := math.Float32frombits(uint32(u))
		if i%3 == 0 {
			f32 = float32(f)
		}
		if f32 == f32 {
			buf = append(buf, ' ')
			buf = strconv.AppendFloat(buf, float64(f32), v, -1, 32)
			buf = append(buf, ' ')
			buf = strconv.AppendFloat(buf, float64(f32), v, p, 32)
		}
		// a decimal of some digits
		s := strconv.FormatUint(next()>>(next()&63), 10) + "." + strconv.FormatUint(next(), 10) + "e" + strconv.Itoa(int(next()%660)-330)
		g, err = strconv.ParseFloat(s, 64)
		buf = strconv.AppendUint(append(buf, ' '), math.Float64bits(g), 16)
		g, err = strconv.ParseFloat(s, 32)
		buf = strconv.AppendUint(append(buf, ' '), math.Float64bits(g), 16)
		h.Write(buf)
	}
	fmt.Println(h.Sum64())
}
