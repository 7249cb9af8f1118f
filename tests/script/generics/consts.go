// run
// SPDX-License-Identifier: MIT

// Constants, conversions, shifts, len, cap and unsafe's functions where the
// type is a parameter: what is constant elsewhere is computed, and constants
// are rounded to what the parameter stands for.
package main

import (
	"fmt"
	"unsafe"
)

type num interface {
	~int8 | ~uint8 | ~int | ~int64 | ~uint64 | ~float32 | ~float64
}

type integer interface {
	~int8 | ~uint8 | ~int | ~int64 | ~uint64
}

func third[T ~float32 | ~float64]() T { return 1.0 / 3 }

func addTenth[T ~float32 | ~float64](x T) T {
	const tenth = 0.1
	return x + tenth*2 - tenth
}

func wrap[T integer](x T) (T, T, T) { return T(1) << 7, x + 100, -x }

func shift[T integer](n int) T { return 1 << n }

func big[T num]() (a, b T) {
	var x T = 100
	return x*x - 1, T(27) + 2
}

func mid[T num](a, b T) T { return (a + b) / 2 }

func size[T any]() (uintptr, uintptr, uintptr) {
	type s struct {
		b bool
		t T
	}
	return unsafe.Sizeof(*new(T)), unsafe.Alignof(*new(T)), unsafe.Offsetof(s{}.t)
}

func length[A ~[3]int | ~[5]int](a A, p *A) (int, int, int) { return len(a), len(*p), cap(a) }

func arrays[T any]() (int, int) {
	var a [unsafe.Sizeof(int32(0))]T
	b := [...]T{5: *new(T)}
	return len(a), len(b)
}

func toString[T ~rune | ~byte | ~[]byte | ~[]rune](t T) string { return string(t) }

func fromString[T ~string | ~[]byte | ~[]rune](s string) T { return T(s) }

func lit[T ~string | ~[]byte]() T { return T("lit") }

func char[T ~string]() T { return T('x') + "y" }

func toArray[T any](s []T) ([2]T, int) { return [2]T(s), len((*[2]T)(s)) }

func convert[B, A num](a A) B { return B(a) }

func iface[T any](t T) any { return any(t) }

func cmpConst[T ~int8 | ~uint8](x T) string {
	switch {
	case x == 'a':
		return "a"
	case x > 0x7e:
		return "big"
	}
	switch x {
	case 1, 2:
		return "few"
	case T(3):
		return "three"
	}
	return "none"
}

func cplx[T ~complex64 | ~complex128](x T) T { return x * (1 + 2i) }

func fill[T num](n int) (s []T) {
	for i := range n {
		s = append(s, T(i)*1.0)
	}
	return append(s, 7, 'c')
}

func minmax[T num](x T) (T, T) { return min(x, 3, 'a'), max(10, x) }

const shared = 1 << 4

func index[T any](s []T, a [4]T) (T, T, []T) { return s[shared>>4], a[shared%3], s[1 : shared/8] }

type myInt int
type myBytes []byte

func main() {
	fmt.Println(third[float32](), third[float64](), float64(third[float32]()) == third[float64]())
	fmt.Println(addTenth[float32](0.7), addTenth(0.7))
	fmt.Println(wrap[int8](100))
	fmt.Println(wrap[uint8](200))
	fmt.Println(wrap[myInt](5))
	fmt.Println(shift[int8](7), shift[uint8](8), shift[int](40), shift[uint64](63))
	fmt.Println(big[int8]())
	fmt.Println(big[uint8]())
	fmt.Println(big[float32]())
	fmt.Println(mid[int8](100, 100), mid(1, 2), mid(1.0, 2))
	fmt.Println(size[int8]())
	fmt.Println(size[string]())
	fmt.Println(size[struct {
		a int16
		b byte
	}]())
	fmt.Println(size[struct{}]())
	fmt.Println(length([3]int{}, &[3]int{}))
	fmt.Println(length([5]int{}, &[5]int{}))
}

func init() {
	fmt.Println(arrays[string]())
	fmt.Println(toString('ä'), toString(byte(65)), toString(myBytes("mb")), toString([]rune{0x4e16, 0x754c}))
	fmt.Println(fromString[[]byte]("ab"), fromString[string]("s"), fromString[[]rune]("ä"), fromString[myBytes]("x"))
	fmt.Println(lit[string](), lit[myBytes](), char[string]())
	fmt.Println(toArray([]int{1, 2, 3}))
	fmt.Println(convert[int8](300), convert[uint8](-1), convert[float32](int64(1)<<60+1), convert[int](2.9))
	fmt.Printf("%T %T %T\n", iface(1), iface[error](nil), iface[any]("s"))
	fmt.Println(cmpConst[int8]('a'), cmpConst[uint8](200), cmpConst[int8](2), cmpConst[uint8](3), cmpConst[int8](-5))
	fmt.Println(cplx[complex64](1), cplx(2i))
	fmt.Println(fill[float64](3), fill[uint8](2), fill[myInt](1))
	fmt.Println(minmax(2.5))
	fmt.Println(minmax[int8](100))
	fmt.Println(index([]string{"a", "b", "c"}, [4]string{1: "x"}))
}
