// run
// concurrent

// Functions that package reflect calls, and such that it makes: their first
// instructions are made while the program runs.  And where functions begin,
// which a program can see.

package main

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"
)

type adder struct{ n int }

func (a adder) Add(k int) int { return a.n + k }

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	add := reflect.MakeFunc(reflect.TypeOf(func(int) {}),
		func(in []reflect.Value) []reflect.Value {
			mu.Lock()
			defer mu.Unlock()
			sum += int(in[0].Int())
			return nil
		}).Interface().(func(int))
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			k := reflect.ValueOf(i)
			method := reflect.ValueOf(adder{10}).Method(0)
			add(int(method.Call([]reflect.Value{k})[0].Int()))
		}()
	}
	wg.Wait()
	fmt.Println(sum)
	method, _ := reflect.TypeFor[adder]().MethodByName("Add")
	fmt.Println(reflect.ValueOf(main).Pointer(), method.Func.Pointer(),
		runtime.FuncForPC(reflect.ValueOf(main).Pointer()).Entry())
	fmt.Printf("%p %v\n", main, add)
}
