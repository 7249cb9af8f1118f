// run
// tree 21

// What runtime/metrics says of GOGC, of sizes of objects, and of settings of
// GODEBUG that have made a difference.
package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

var keep [][]byte

const insecure = "/godebug/non-default-behavior/tarinsecurepath:events"

func allocate() {
	for i := 0; i < 100; i++ {
		keep = append(keep, make([]byte, 3000), make([]byte, 100000))
	}
}

// in is how many objects of n bytes a histogram has counted.
func in(h *metrics.Float64Histogram, n float64) uint64 {
	for i, c := range h.Counts {
		if h.Buckets[i] <= n && n < h.Buckets[i+1] {
			return c
		}
	}
	return 0
}

func next(b []byte) error {
	_, err := tar.NewReader(bytes.NewReader(b)).Next()
	return err
}

func main() {
	debug.SetGCPercent(50)
	s := []metrics.Sample{{Name: "/gc/gogc:percent"},
		{Name: "/gc/heap/allocs-by-size:bytes"},
		{Name: "/gc/heap/frees-by-size:bytes"}, {Name: insecure},
		{Name: "/gc/limiter/last-enabled:gc-cycle"},
		{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/tiny/allocs:objects"}}
	metrics.Read(s)
	h, f := s[1].Value.Float64Histogram(), s[2].Value.Float64Histogram()
	fmt.Println(s[0].Value.Uint64(), s[3].Value.Uint64(), s[4].Value.Uint64(),
		s[5].Value.Kind() == metrics.KindUint64, s[6].Value.Kind() == metrics.KindUint64)
	fmt.Println(h.Buckets)
	fmt.Println(len(h.Counts), len(f.Counts), fmt.Sprint(h.Buckets) == fmt.Sprint(f.Buckets))
	a, b := in(h, 3000), in(h, 100000)
	c, d := in(f, 3000), in(f, 100000)

	allocate()
	debug.SetGCPercent(-1)
	metrics.Read(s)
	fmt.Println(s[1].Value.Float64Histogram() == h)
	fmt.Println(s[0].Value.Uint64())
	keep = nil
	runtime.GC()
	runtime.GC()
	metrics.Read(s)
	fmt.Println(in(h, 3000) >= a+100, in(h, 100000) >= b+100, in(f, 3000) >= c+100,
		in(f, 100000) >= d+100, s[5].Value.Uint64() > 0)
	for i, n := range f.Counts {
		if n > h.Counts[i] {
			fmt.Println("more freed than allocated of", f.Buckets[i])
		}
	}

	var out bytes.Buffer
	w := tar.NewWriter(&out)
	w.WriteHeader(&tar.Header{Name: "../x", Mode: 0o600})
	w.Close()
	fmt.Println(next(out.Bytes()))
	os.Setenv("GODEBUG", "tarinsecurepath=0")
	fmt.Println(next(out.Bytes()), next(out.Bytes()))
	metrics.Read(s)
	fmt.Println(s[3].Value.Uint64())
}
