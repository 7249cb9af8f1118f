// run
// SPDX-License-Identifier: MIT

// goto out of the bodies of nested loops over functions: to a label of the
// function, of the loop around, and of one further out, forwards and back.
package main

func twice(yield func(int) bool) { _ = yield(1) && yield(2) }

func back() int {
	for i := range twice {
		n := 0
	again:
		n++
		println("again", i, n)
		if n >= 3 {
			continue
		}
		for j := range twice {
			println("j", j)
			if j == n {
				goto again
			}
		}
		println("end of", i)
	}
	return 0
}

func forward(to int) (s string) {
	for i := range twice {
		for j := range twice {
			for k := range twice {
				s += string(rune('0' + 4*i + 2*j + k))
				switch {
				case k == 1:
				case to == 0:
					goto in
				case to == 1:
					goto around
				case to == 2:
					goto out
				case to == 3:
					return s + " returned"
				}
				s += "."
				continue
			in:
				s += "i"
			}
			s += ","
			continue
		around:
			s += "a"
		}
		s += ";"
	}
	return s
out:
	return s + "o"
}

// Labels beside each other, and loops that are left by all kinds of branches.
func mixed() (s string) {
	n := 0
outer:
	for range twice {
	first:
		s += "1"
	second:
		s += "2"
		if n++; n > 9 {
			break
		}
		for i := range twice {
			for range twice {
				defer func() { s += "d" }()
				switch n {
				case 1:
					goto first
				case 2:
					goto second
				case 3:
					continue outer
				case 4:
					break
				case 5:
					break outer
				}
				if i == 2 {
					goto second
				}
			}
		}
		s += "x"
	}
	return s
}

func main() {
	println(back())
	for to := range 5 {
		println(forward(to))
	}
	println(mixed())
}
