// run
// SPDX-License-Identifier: MIT

// Package strconv: integers, floats (shortest form), quoting.
package main

import (
	"fmt"
	"math"
	"strconv"
)

func main() {
	for _, s := range []string{"0", "-1", "+5", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "", "x", "1_000", "0x1f", " 1", "1e3"} {
		n, err := strconv.Atoi(s)
		fmt.Println(n, err)
		m, err := strconv.ParseInt(s, 0, 64)
		fmt.Println(m, err)
	}
	for _, c := range []struct {
		s    string
		b, n int
	}{{"ff", 16, 64}, {"777", 8, 16}, {"128", 10, 8}, {"-129", 10, 8}, {"zz", 36, 64}, {"102", 2, 64}, {"1", 1, 64}, {"0b101", 0, 8}, {"0o17", 0, 8}, {"017", 0, 64}, {"1_0", 0, 64}} {
		fmt.Println(strconv.ParseInt(c.s, c.b, c.n))
	}
	fmt.Println(strconv.ParseUint("18446744073709551615", 10, 64))
	fmt.Println(strconv.ParseUint("-1", 10, 64))
	fmt.Println(strconv.ParseUint("256", 10, 8))
	fmt.Println(strconv.Itoa(-45), strconv.FormatInt(-255, 16), strconv.FormatInt(35, 36), strconv.FormatUint(math.MaxUint64, 2), strconv.FormatInt(math.MinInt64, 10))
	for _, f := range []float64{0, 1, -1, 0.1, 1.0 / 3, 100, 1e6, 1e20, 1e21, 1e-4, 1e-5, 123456789.123, 5e-324, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Pi, 2.2250738585072014e-308, 9007199254740993, math.Inf(1), math.NaN(), 4.35, 0.3, 2.675, 1.005, 8.41e21} {
		fmt.Println(strconv.FormatFloat(f, 'g', -1, 64), strconv.FormatFloat(f, 'e', -1, 64), strconv.FormatFloat(f, 'f', -1, 64), strconv.FormatFloat(f, 'G', 5, 64), strconv.FormatFloat(f, 'e', 3, 64), strconv.FormatFloat(f, 'f', 2, 64), strconv.FormatFloat(f, 'g', -1, 32), strconv.FormatFloat(f, 'b', -1, 64), strconv.FormatFloat(f, 'x', -1, 64))
	}
	fmt.Println(strconv.FormatFloat(0.5, 'f', 0, 64), strconv.FormatFloat(1.5, 'f', 0, 64), strconv.FormatFloat(2.5, 'f', 0, 64), strconv.FormatFloat(1e23, 'g', 17, 64), strconv.FormatFloat(123.456, 'f', 30, 64))
	for _, s := range []string{"1", "-.5", "1.", "1e10", "1E-3", "inf", "-Infinity", "nan", "0x1p-2", "1e400", "1e-400", "", ".", "1e", "1x", "4.9e-324", "2.5e-324", "1.7976931348623157e308", "1.7976931348623159e308", "123456789012345678901234567890", "0.1e1_0", "9007199254740993", "1.00000000000000011102230246251565404", "179769313486231580793728971405301e276"} {
		f, err := strconv.ParseFloat(s, 64)
		fmt.Println(f, err)
	}
	f32, err := strconv.ParseFloat("3.4028236e38", 32)
	fmt.Println(f32, err)
	f32, err = strconv.ParseFloat("0.1", 32)
	fmt.Println(f32, err, float32(f32))
	for _, s := range []string{"true", "T", "1", "false", "0", "yes"} {
		fmt.Println(strconv.ParseBool(s))
	}
	fmt.Println(strconv.FormatBool(true), strconv.Quote("a\tb\"c\\\x00é世\U0001F600\xff"), strconv.QuoteToASCII("é世\U0001F600"), strconv.QuoteRune('\''), strconv.QuoteRuneToASCII('世'))
	for _, s := range []string{`"a\tb"`, "`raw\\n`", `'x'`, `"\u4e16\x41\101"`, `"bad`, `"\q"`, `''`, `abc`, `"a"b`, `'ab'`} {
		fmt.Println(strconv.Unquote(s))
	}
	fmt.Println(string(strconv.AppendInt([]byte("n="), 42, 10)), string(strconv.AppendQuote(nil, "q")), string(strconv.AppendFloat(nil, 1.5, 'g', -1, 64)), string(strconv.AppendBool(nil, false)))
	fmt.Println(strconv.CanBackquote("a`b"), strconv.IsPrint('é'), strconv.IsPrint('\n'))
	fmt.Println(strconv.ParseComplex("1+2i", 128))
	// Every float comes back from its shortest form.
	x := uint64(88172645463325252)
	bad := 0
	for i := 0; i < 3000; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		f := math.Float64frombits(x)
		if f != f {
			continue
		}
		g, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 64), 64)
		if err != nil || g != f {
			bad++
		}
		h := math.Float32frombits(uint32(x))
		if h == h {
			g, err := strconv.ParseFloat(strconv.FormatFloat(float64(h), 'e', -1, 32), 32)
			if err != nil || float32(g) != h {
				bad++
			}
		}
	}
	fmt.Println(bad)
}
