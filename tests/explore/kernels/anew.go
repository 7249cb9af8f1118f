// end: none
// needs: os/signal

// Whatever a schedule leaves in memory, the next one begins with none of it:
// package variables, fresh objects of all sizes, functions made by reflect.  Nor
// with what it has changed of the process.

package main

import (
	"math/rand"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"sync"
	"syscall"
)

var (
	number int
	table  [5000]int
	names  map[string]int
	list   *node
	once   sync.Once
)

type node struct {
	next *node
	v    [3]int
}

func zero(b []byte, what string) {
	for _, x := range b {
		if x != 0 {
			panic(what + " is not zero")
		}
	}
	for i := range b {
		b[i] = 0xa5
	}
}

func use(n int) *node {
	var list *node
	for size := 1; size < n; size *= 3 {
		zero(make([]byte, size), "a new slice")
		list = &node{next: list}
		if list.v != [3]int{} {
			panic("a new record is not zero")
		}
		list.v = [3]int{-1, -2, -3}
	}
	return list
}

// What the process begins with is not as it is left here.
func process() {
	folder, err := os.Getwd()
	if err != nil || filepath.Base(folder) == "/" {
		panic("it is in another folder")
	}
	if err := os.Chdir("/"); err != nil {
		panic(err)
	}
	if os.Getenv("LEFT") != "" || os.Getenv("PATH") == "" {
		panic("it has another environment")
	}
	os.Setenv("LEFT", "1")
	os.Unsetenv("PATH")
	if syscall.Umask(055) == 055 {
		panic("it has another umask")
	}
	if signal.Ignored(syscall.SIGUSR2) {
		panic("it ignores signals")
	}
	signal.Ignore(syscall.SIGUSR2)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil ||
		limit.Cur == 64 {
		panic("it has another limit")
	}
	limit.Cur = 64
	syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	// What is opened next has the lowest number.
	if err := os.Stdin.Close(); err != nil {
		panic(err)
	}
	if _, err := os.Open("/dev/zero"); err != nil {
		panic(err)
	}
	if err := os.Stdout.Close(); err != nil {
		panic(err)
	}
}

func main() {
	process()
	if number != 0 || table != [5000]int{} || names != nil || list != nil {
		panic("package variables are not zero")
	}
	first := false
	once.Do(func() { first = true })
	if !first {
		panic("done before")
	}
	names = map[string]int{"a": 1}
	for i := range table {
		table[i] = -1
	}
	number = -1
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := 0; i < 4; i++ {
		// As much as the seed says, so that no schedule uses what another did.
		n := 100 << rand.Intn(11)
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			list = use(n)
		}()
	}
	wg.Wait()
	twice := reflect.MakeFunc(reflect.TypeOf(func(int) int { return 0 }),
		func(in []reflect.Value) []reflect.Value {
			return []reflect.Value{reflect.ValueOf(2 * int(in[0].Int()))}
		}).Interface().(func(int) int)
	if twice(4) != 8 {
		panic("made wrongly")
	}
}
