// errorcheck
// SPDX-License-Identifier: MIT

package main

func a(x int) int {
	if x > 0 {
		return 1
	}
} // ERROR "missing return"

func b(x int) int {
	for {
		if x > 0 {
			break
		}
	}
} // ERROR "missing return"

func c(x int) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		panic("x")
	}
} // ERROR "missing return"

func d(x int) int {
	switch {
	case x > 0:
		return 1
	default:
		for {
		}
	}
}

func e(c chan int) int {
	select {
	case <-c:
		return 1
	}
}

func f(x int) (y int) {
L:
	for {
		for {
			break L
		}
	}
} // ERROR "missing return"

func g() int {
	goto end
end:
	return 1
}

func h() int {
	{
		return 1
	}
}

func main() {}
