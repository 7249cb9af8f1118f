// run
// SPDX-License-Identifier: MIT

// Every form of if, for and switch.
package main

import "fmt"

func grade(n int) string {
	switch {
	case n >= 90:
		return "A"
	case n >= 80:
		return "B"
	default:
		return "F"
	case n >= 70:
		return "C"
	}
}

var calls []string

func say(s string, n int) int {
	calls = append(calls, s)
	return n
}

func classify(x int) (s string) {
	switch y := x * 2; y {
	case 0:
		s = "zero"
	case 2, 4, 6:
		s = "small"
		fallthrough
	case 8:
		s += "+eight"
	case say("a", 10), say("b", 12), say("c", 14):
		s = "called"
	default:
		s = "other"
	}
	return
}

func main() {
	for _, n := range []int{95, 85, 75, 5} {
		fmt.Print(grade(n), " ")
	}
	fmt.Println()
	for i := 0; i <= 8; i++ {
		fmt.Print(classify(i), " ")
	}
	fmt.Println(calls)

	if x := 3; x > 5 {
		fmt.Println("no")
	} else if y := x + 1; y == 4 {
		fmt.Println("else if", x, y)
	} else {
		fmt.Println("no", x, y)
	}

	n := 0
	for n < 10 {
		n += 3
	}
	for {
		n--
		if n%5 == 0 {
			break
		}
	}
	fmt.Println(n)

outer:
	for i := 0; i < 5; i++ {
		for j := 0; j < 5; j++ {
			switch {
			case j == 3:
				continue outer
			case i == 3:
				break outer
			case i == j:
				continue
			}
			fmt.Print(i, j, " ")
		}
	}
	fmt.Println()

sw:
	switch n {
	case 10:
		for {
			break sw
		}
		fmt.Println("unreachable")
	}

	switch {
	}
	switch x := 5; {
	case x > 4:
		if x == 5 {
			break
		}
		fmt.Println("not here")
	}

	switch interface{}(n).(type) {
	}
	var s string
	for i, j := 0, 10; i < j; i, j = i+1, j-2 {
		s += fmt.Sprint(i, ":", j, " ")
	}
	fmt.Println(s)

	i := 0
loop:
	if i < 3 {
		fmt.Print("goto", i, " ")
		i++
		goto loop
	}
	fmt.Println()

	switch f := 1.5; f {
	case 1.5:
		fmt.Println("float case")
	}
	switch "b" + s[:0] {
	case "a":
	case "b":
		fmt.Println("string case")
	}
	switch [2]int{1, 2} {
	case [2]int{1, 2}:
		fmt.Println("array case")
	}
	var e interface{} = 3
	switch e {
	case "3":
		fmt.Println("wrong")
	case 3:
		fmt.Println("interface case")
	}
	switch true {
	case false:
	default:
		fmt.Println("default")
	}
	for range 3 {
		fmt.Print("x")
	}
	for i := range 3 {
		defer fmt.Println("deferred", i)
	}
	fmt.Println()
}
