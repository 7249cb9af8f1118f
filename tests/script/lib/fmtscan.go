// run
// SPDX-License-Identifier: MIT

// Sscan, Sscanf, Sscanln and Fscan.
package main

import (
	"bufio"
	"fmt"
	"strings"
)

func main() {
	var i, j int
	var f float64
	var s, t string
	var b bool
	var r rune
	var u uint8
	n, err := fmt.Sscan("42 3.5 word true", &i, &f, &s, &b)
	fmt.Println(n, err, i, f, s, b)
	n, err = fmt.Sscan("7\n8", &i, &j)
	fmt.Println(n, err, i, j)
	n, err = fmt.Sscan("1 x", &i, &j)
	fmt.Println(n, err, i)
	n, err = fmt.Sscan("5", &i, &j)
	fmt.Println(n, err, i)
	n, err = fmt.Sscan("", &i)
	fmt.Println(n, err)
	n, err = fmt.Sscan("300", &u)
	fmt.Println(n, err)
	n, err = fmt.Sscanf("10-20:name", "%d-%d:%s", &i, &j, &s)
	fmt.Println(n, err, i, j, s)
	n, err = fmt.Sscanf("ff 0x1f 077 1010", "%x %v %o %b", &i, &j, &u, &r)
	fmt.Println(n, err, i, j, u, r)
	n, err = fmt.Sscanf("abc:123", "%3s:%2d", &s, &i)
	fmt.Println(n, err, s, i)
	n, err = fmt.Sscanf("x世y", "x%cy", &r)
	fmt.Println(n, err, string(r))
	n, err = fmt.Sscanf(`"quoted str" rest`, "%q %s", &s, &t)
	fmt.Println(n, err, s, t)
	n, err = fmt.Sscanf("50%", "%d%%", &i)
	fmt.Println(n, err, i)
	n, err = fmt.Sscanf("1,2", "%d;%d", &i, &j)
	fmt.Println(n, err)
	n, err = fmt.Sscanf("t f", "%t %t", &b, new(bool))
	fmt.Println(n, err, b)
	n, err = fmt.Sscanf("1.5e3 -2", "%g %f", &f, new(float64))
	fmt.Println(n, err, f)
	n, err = fmt.Sscanln("a b", &s, &t)
	fmt.Println(n, err, s, t)
	n, err = fmt.Sscanln("a\nb", &s, &t)
	fmt.Println(n, err, s)
	n, err = fmt.Sscanln("a b c", &s, &t)
	fmt.Println(n, err)
	var bs []byte
	n, err = fmt.Sscan("bytes", &bs)
	fmt.Println(n, err, string(bs))
	n, err = fmt.Sscan("0x10 0b11 1_000 -0o7", &i, &j, &u, &r)
	fmt.Println(n, err, i, j)
	rd := strings.NewReader("1 2 3\n4 five 6")
	sum := 0
	for {
		var v int
		if _, err := fmt.Fscan(rd, &v); err != nil {
			fmt.Println("stopped:", err)
			break
		}
		sum += v
	}
	fmt.Println(sum)
	br := bufio.NewReader(strings.NewReader("alpha 10\nbeta 20\ngamma 30\n"))
	for {
		var name string
		var v int
		k, err := fmt.Fscanln(br, &name, &v)
		if err != nil {
			fmt.Println(k, err)
			break
		}
		fmt.Println(name, v)
	}
	n, err = fmt.Sscanf("12345", "%2d%3d", &i, &j)
	fmt.Println(n, err, i, j)
	type my int
	var m my
	n, err = fmt.Sscan("9", &m)
	fmt.Println(n, err, m)
	n, err = fmt.Sscan("x", i)
	fmt.Println(n, err)
}
