// run

// What runtime/metrics says of the program.
package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"
)

var keep [][]byte

func read(names ...string) []metrics.Value {
	s := make([]metrics.Sample, len(names))
	for i := range s {
		s[i].Name = names[i]
	}
	metrics.Read(s)
	v := make([]metrics.Value, len(s))
	for i := range s {
		v[i] = s[i].Value
	}
	return v
}

func main() {
	names := []string{"/gc/cycles/forced:gc-cycles",
		"/gc/cycles/total:gc-cycles", "/gc/heap/allocs:bytes",
		"/gc/heap/allocs:objects", "/gc/heap/frees:bytes",
		"/gc/heap/frees:objects", "/gc/heap/goal:bytes",
		"/gc/heap/objects:objects", "/memory/classes/heap/objects:bytes",
		"/memory/classes/total:bytes", "/sched/gomaxprocs:threads",
		"/sched/goroutines:goroutines"}
	before := read(names...)
	for i := 0; i < 1000; i++ {
		keep = append(keep, make([]byte, 10000))
	}
	stop := make(chan bool)
	for i := 0; i < 3; i++ {
		go func() { <-stop }()
	}
	middle := read(names...)
	keep = nil
	runtime.GC()
	runtime.GC()
	after := read(names...)
	for i, n := range names {
		b, m, a := before[i].Uint64(), middle[i].Uint64(), after[i].Uint64()
		switch n {
		case "/gc/heap/allocs:bytes", "/memory/classes/heap/objects:bytes":
			fmt.Println(n, m-b >= 9e6)
		case "/gc/heap/allocs:objects":
			fmt.Println(n, m-b >= 1000)
		case "/gc/heap/frees:bytes":
			fmt.Println(n, a-b >= 9e6)
		case "/gc/heap/frees:objects":
			fmt.Println(n, a-b >= 1000)
		case "/sched/goroutines:goroutines":
			fmt.Println(n, b > 0, m >= b+3)
		case "/sched/gomaxprocs:threads":
			fmt.Println(n, b == uint64(runtime.GOMAXPROCS(0)))
		case "/gc/cycles/forced:gc-cycles":
			fmt.Println(n, a-m)
		default:
			fmt.Println(n, b > 0 || a > 0)
		}
	}
	free := read("/memory/classes/heap/objects:bytes")[0].Uint64()
	fmt.Println("freed", free < middle[8].Uint64()-9e6)

	v := read("/no/such:thing", "/gc/heap/goal:bytes")
	fmt.Println(v[0].Kind() == metrics.KindBad, v[1].Kind() == metrics.KindUint64)

	// All that is described can be read.
	all := metrics.All()
	samples := make([]metrics.Sample, len(all))
	for i := range all {
		samples[i].Name = all[i].Name
	}
	metrics.Read(samples)
	for i := range all {
		if samples[i].Value.Kind() != all[i].Kind || all[i].Description == "" {
			fmt.Println(all[i].Name, samples[i].Value.Kind())
		}
	}
	fmt.Println(len(all) > 20)
	close(stop)
}
