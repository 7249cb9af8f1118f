// errorcheck
// SPDX-License-Identifier: MIT

// Numbers in composite literals that do not fit.
package main

var (
	_ = []int8{1, 128} // ERROR "cannot use 128 \(untyped int constant\) as int8 value in array or slice literal \(overflows\)"
	_ = []int8{0x80} // ERROR "cannot use 0x80 \(untyped int constant 128\) as int8 value in array or slice literal \(overflows\)"
	_ = []uint8{256} // ERROR "cannot use 256 \(untyped int constant\) as uint8 value in array or slice literal \(overflows\)"
	_ = []uint16{0x10000} // ERROR "cannot use 0x10000 \(untyped int constant 65536\) as uint16 value in array or slice literal \(overflows\)"
	_ = []int32{2147483648} // ERROR "cannot use 2147483648 \(untyped int constant\) as int32 value in array or slice literal \(overflows\)"
	_ = []uint32{4294967296} // ERROR "cannot use 4294967296 \(untyped int constant\) as uint32 value in array or slice literal \(overflows\)"
	_ = []int64{9223372036854775808} // ERROR "cannot use 9223372036854775808 \(untyped int constant\) as int64 value in array or slice literal \(overflows\)"
	_ = []uint64{18446744073709551616} // ERROR "cannot use 18446744073709551616 \(untyped int constant\) as uint64 value in array or slice literal \(overflows\)"
	_ = []string{0} // ERROR "cannot use 0 \(untyped int constant\) as string value in array or slice literal"
	_ = []string{1} // ERROR "cannot use 1 \(untyped int constant\) as string value in array or slice literal"
)

func main() {}
