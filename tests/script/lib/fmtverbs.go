// run
// SPDX-License-Identifier: MIT

// Every verb of fmt with its flags, for every basic type.
package main

import (
	"fmt"
	"math"
)

func main() {
	for _, v := range []interface{}{0, 1, -1, 42, -255, 1 << 40} {
		fmt.Printf("[%d %5d %-5d| %05d %+d % d %x %X %#x %o %#o %O %b %q %U %#U %c]\n", v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v, v)
	}
	for _, f := range []float64{0, 1, -1.5, 3.14159265, 1e21, 1e20, 123456789, 1e-7, 100000, 1234567.125, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1)} {
		fmt.Printf("[%v %g %G %e %E %f %F %.2f %8.3f|%-8.1f|%+.1f % .3e %08.2f %x %b]\n", f, f, f, f, f, f, f, f, f, f, f, f, f, f, f)
		fmt.Printf("[%6.3v %.3g %#g %#.3v %+v %10v|%-10v|%.0f %#.0f]\n", f, f, f, f, f, f, f, f, f)
	}
	for _, s := range []string{"", "hello", "héllo\n\t\"q\"`", "\xff\x00z", "日本語"} {
		fmt.Printf("[%s|%10s|%-10s|%.2s|%8.3s|%q|%+q|%#q|%x|%X|% x|%#x|%# X|%v|%T]\n", s, s, s, s, s, s, s, s, s, s, s, s, s, s, s)
		b := []byte(s)
		fmt.Printf("[%s|%10s|%q|%x|% X|%v|%d|%#v|%T]\n", b, b, b, b, b, b, b, b, b)
	}
	fmt.Printf("%t %5t %-7t| %v %q %d\n", true, false, true, true, 'x', 'x')
	fmt.Printf("%c|%5c|%-5c|%q|%#q|%+q|%U|%#U|%x\n", 'A', '世', 'é', '\n', '\'', '世', '世', '世', '世')
	fmt.Printf("%v %.2f %+.1e %8.1f %g\n", 1+2i, 3-4i, 1i, 2+2i, complex64(1.5-2i))
	fmt.Printf("%d %s %d%% %%\n", 5, "x", 100)
	fmt.Printf("%*d|%-*d|%.*f|%0*d\n", 6, 42, 6, 42, 2, 3.14159, 5, 7)
	fmt.Printf("%[2]d %[1]d %[2]v %d\n", 1, 2)
	fmt.Printf("%[1]d %[1]x %[1]q %[3]*.[2]*[1]f|\n", 65, 2, 8)
	fmt.Printf("%d %d\n", 1)
	fmt.Printf("%d\n", 1, 2, "x")
	fmt.Printf("%z %!\n", 3)
	fmt.Printf("%d %s %t\n", "str", 5, 1.5)
	fmt.Printf("%[5]d %[x]d %[0]d\n", 1, 2)
	fmt.Printf("%s %d %v\n", nil, nil, nil)
	fmt.Printf("%.*d|%*d\n", "x", 5, 2.5, 7)
	fmt.Printf("trailing %")
	fmt.Println()
	fmt.Printf("%!d %-010d|%+-6d|%+06d|% 06d|%x|%X|%#08x|%08b|%-8b|\n", 1, 2, 3, 4, 5, -255, "hi", 255, 5, 5)
	fmt.Printf("%6.2d|%.0d|%.3d|%+.3d|%8.5x|%#.5o\n", 5, 0, 7, 7, 255, 8)
	fmt.Printf("%08s|%-08s|%+s|% s|%08q|%020.3f|%+08d\n", "ab", "ab", "ab", "ab", "a", -math.Pi, 42)
	fmt.Printf("%v %v %v %v %v %v\n", int8(-5), uint8(200), uintptr(10), float32(0.1), 'a', "s")
	fmt.Printf("%T %T %T %T %T %T %T %T\n", 1, "s", 1.5, 'x', nil, true, 2i, []byte{})
	fmt.Printf("%x %X %x\n", []int{10, 255}, [2]uint8{1, 171}, "a\xffb")
	fmt.Printf("%d %v %s\n", []interface{}{1, "a", nil}, []interface{}{1, "a", nil}, []string{"x", "y"})
	fmt.Printf("%q %x %5.1f %05d\n", []string{"a b", "c"}, []string{"hi", "yo"}, []float64{1, 2.25}, []int{1, -2})
	fmt.Printf("%6d|%-6d|%+d\n", []int{1, 2}, [2]int{3, 4}, map[string]int{"a": 1})
	fmt.Printf("%.3v|%.10v|%5v|%-5v|%05v\n", "abcdef", "abc", "a", "b", 42)
	fmt.Printf("%t %v %p\n", "notbool", struct{}{}, 0)
	fmt.Printf("%e %G %.3E %10.2e|\n", 123456.789, 1e-10, 0.000123, 99.5)
	fmt.Printf("%5t|%5v|%-6v|%q\n", true, false, true, 0x1F600)
	fmt.Printf("%s|%v|%d\n", error(nil), error(nil), []error{nil})
	fmt.Printf("%w %w\n", fmt.Errorf("e"), 5)
	fmt.Print("a", "b", 1, 2, true, "c", 3.5, nil, 'x', "\n")
	fmt.Print(1, 2, "\n")
	fmt.Println("a", 1, nil, true, 1.0, 2i, []int(nil), map[string]int(nil), (*int)(nil), error(nil))
	fmt.Println(fmt.Sprint(), fmt.Sprint("x", 5, 6, "y", "z", 7), fmt.Sprintln("end", 1) == "end 1\n", fmt.Sprintf("%s", "q"))
}
