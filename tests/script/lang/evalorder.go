// run
// SPDX-License-Identifier: MIT

// Order of evaluation: calls, index operands, assignments, composites.
package main

import "fmt"

var log []string

func f(s string, v int) int { log = append(log, s); return v }
func p(s string, v *int) *int {
	log = append(log, s)
	return v
}
func b(s string, v bool) bool { log = append(log, s); return v }

func show() {
	fmt.Println(log)
	log = nil
}

func two() (int, string)   { return 1, "two" }
func take(n int, s string) { fmt.Println("take", n, s) }
func multi(v ...interface{}) int {
	return len(v)
}

func main() {
	arr := make([]int, 10)
	arr[f("i", 1)] = f("v", 2)
	show()
	arr[f("a", 1)], arr[f("b", 2)] = f("c", 3), f("d", 4)
	show()
	*p("p", &arr[0]) += f("q", 5)
	show()
	_ = f("x", 1)*f("y", 2) + f("z", 3)
	show()
	_ = []int{f("e0", 0), f("e1", 1), 5: f("e5", 5)}
	_ = struct{ a, b int }{b: f("sb", 1), a: f("sa", 2)}
	show()
	_ = b("l", false) && b("r", true)
	_ = b("l2", true) || b("r2", true)
	_ = b("m", true) && b("n", false) || b("o", true)
	show()

	i := 0
	i, arr[i] = 1, 9 // the index is taken before i changes
	fmt.Println(i, arr[0], arr[1])
	x, y, z := 1, 2, 3
	x, y, z = z, x, y
	fmt.Println(x, y, z)
	arr[0], arr[1], arr[2] = 1, 2, 3
	arr[0], arr[arr[0]] = 2, 50
	fmt.Println(arr[:3])
	s := []int{1, 2, 3}
	j := 0
	j, s[j], s[j+1] = 2, 7, 8
	fmt.Println(j, s)

	take(two())
	fmt.Println(multi(two()), multi())
	m := map[string]int{}
	m["a"], m["b"] = len(m), len(m)
	m["c"] += f("mc", 3)
	m["a"]++
	fmt.Println(m)
	show()

	ptr := &struct{ n int }{1}
	old := ptr
	ptr, ptr.n = nil, 5
	fmt.Println(old.n, ptr == nil)

	func() {
		defer func() { fmt.Println(recover(), log); log = nil }()
		var nm map[string]int
		nm["x"] = f("before", 1)
	}()
	func() {
		defer func() { fmt.Println(recover(), log); log = nil }()
		var np *[3]int
		np[f("idx", 1)] = f("rhs", 2)
	}()
	func() {
		defer func() { fmt.Println(recover(), x, log); log = nil }()
		x, arr[f("big", 99)] = 77, 1
	}()
	k := 1
	r := []int{k, func() int { k++; return k }(), func() int { k *= 10; return k }()}
	fmt.Println(r[1:], k)
	var e interface{} = k
	v, ok := e.(int)
	_, ok2 := e.(string)
	fmt.Println(v, ok, ok2)
	defer fmt.Println("deferred args", f("d1", k))
	k = 0
	show()
}
