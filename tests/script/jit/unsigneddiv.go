// run

package main

import "fmt"

// Divisions of unsigned numbers by constants, against those by variables; of
// numbers of 32 bits that have just been made, too.

type div struct {
	d    uint64
	quo  func(n uint64) uint64
	rem  func(n uint64) uint64
	both func(n uint64) (uint64, uint64)
	half func(n uint32) (uint32, uint32)
}

func quo3(n uint64) uint64 { return n / 3 }
func rem3(n uint64) uint64 { return n % 3 }
func both3(n uint64) (uint64, uint64) {
	q := n / 3
	return q, n - n%3
}
func half3(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 3
	return q, m%3 + (m*3)%3
}

func quo5(n uint64) uint64 { return n / 5 }
func rem5(n uint64) uint64 { return n % 5 }
func both5(n uint64) (uint64, uint64) {
	q := n / 5
	return q, n - n%5
}
func half5(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 5
	return q, m%5 + (m*3)%5
}

func quo6(n uint64) uint64 { return n / 6 }
func rem6(n uint64) uint64 { return n % 6 }
func both6(n uint64) (uint64, uint64) {
	q := n / 6
	return q, n - n%6
}
func half6(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 6
	return q, m%6 + (m*3)%6
}

func quo7(n uint64) uint64 { return n / 7 }
func rem7(n uint64) uint64 { return n % 7 }
func both7(n uint64) (uint64, uint64) {
	q := n / 7
	return q, n - n%7
}
func half7(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 7
	return q, m%7 + (m*3)%7
}

func quo9(n uint64) uint64 { return n / 9 }
func rem9(n uint64) uint64 { return n % 9 }
func both9(n uint64) (uint64, uint64) {
	q := n / 9
	return q, n - n%9
}
func half9(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 9
	return q, m%9 + (m*3)%9
}

func quo10(n uint64) uint64 { return n / 10 }
func rem10(n uint64) uint64 { return n % 10 }
func both10(n uint64) (uint64, uint64) {
	q := n / 10
	return q, n - n%10
}
func half10(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 10
	return q, m%10 + (m*3)%10
}

func quo11(n uint64) uint64 { return n / 11 }
func rem11(n uint64) uint64 { return n % 11 }
func both11(n uint64) (uint64, uint64) {
	q := n / 11
	return q, n - n%11
}
func half11(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 11
	return q, m%11 + (m*3)%11
}

func quo12(n uint64) uint64 { return n / 12 }
func rem12(n uint64) uint64 { return n % 12 }
func both12(n uint64) (uint64, uint64) {
	q := n / 12
	return q, n - n%12
}
func half12(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 12
	return q, m%12 + (m*3)%12
}

func quo13(n uint64) uint64 { return n / 13 }
func rem13(n uint64) uint64 { return n % 13 }
func both13(n uint64) (uint64, uint64) {
	q := n / 13
	return q, n - n%13
}
func half13(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 13
	return q, m%13 + (m*3)%13
}

func quo14(n uint64) uint64 { return n / 14 }
func rem14(n uint64) uint64 { return n % 14 }
func both14(n uint64) (uint64, uint64) {
	q := n / 14
	return q, n - n%14
}
func half14(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 14
	return q, m%14 + (m*3)%14
}

func quo19(n uint64) uint64 { return n / 19 }
func rem19(n uint64) uint64 { return n % 19 }
func both19(n uint64) (uint64, uint64) {
	q := n / 19
	return q, n - n%19
}
func half19(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 19
	return q, m%19 + (m*3)%19
}

func quo21(n uint64) uint64 { return n / 21 }
func rem21(n uint64) uint64 { return n % 21 }
func both21(n uint64) (uint64, uint64) {
	q := n / 21
	return q, n - n%21
}
func half21(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 21
	return q, m%21 + (m*3)%21
}

func quo25(n uint64) uint64 { return n / 25 }
func rem25(n uint64) uint64 { return n % 25 }
func both25(n uint64) (uint64, uint64) {
	q := n / 25
	return q, n - n%25
}
func half25(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 25
	return q, m%25 + (m*3)%25
}

func quo28(n uint64) uint64 { return n / 28 }
func rem28(n uint64) uint64 { return n % 28 }
func both28(n uint64) (uint64, uint64) {
	q := n / 28
	return q, n - n%28
}
func half28(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 28
	return q, m%28 + (m*3)%28
}

func quo60(n uint64) uint64 { return n / 60 }
func rem60(n uint64) uint64 { return n % 60 }
func both60(n uint64) (uint64, uint64) {
	q := n / 60
	return q, n - n%60
}
func half60(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 60
	return q, m%60 + (m*3)%60
}

func quo63(n uint64) uint64 { return n / 63 }
func rem63(n uint64) uint64 { return n % 63 }
func both63(n uint64) (uint64, uint64) {
	q := n / 63
	return q, n - n%63
}
func half63(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 63
	return q, m%63 + (m*3)%63
}

func quo65(n uint64) uint64 { return n / 65 }
func rem65(n uint64) uint64 { return n % 65 }
func both65(n uint64) (uint64, uint64) {
	q := n / 65
	return q, n - n%65
}
func half65(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 65
	return q, m%65 + (m*3)%65
}

func quo100(n uint64) uint64 { return n / 100 }
func rem100(n uint64) uint64 { return n % 100 }
func both100(n uint64) (uint64, uint64) {
	q := n / 100
	return q, n - n%100
}
func half100(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 100
	return q, m%100 + (m*3)%100
}

func quo127(n uint64) uint64 { return n / 127 }
func rem127(n uint64) uint64 { return n % 127 }
func both127(n uint64) (uint64, uint64) {
	q := n / 127
	return q, n - n%127
}
func half127(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 127
	return q, m%127 + (m*3)%127
}

func quo129(n uint64) uint64 { return n / 129 }
func rem129(n uint64) uint64 { return n % 129 }
func both129(n uint64) (uint64, uint64) {
	q := n / 129
	return q, n - n%129
}
func half129(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 129
	return q, m%129 + (m*3)%129
}

func quo641(n uint64) uint64 { return n / 641 }
func rem641(n uint64) uint64 { return n % 641 }
func both641(n uint64) (uint64, uint64) {
	q := n / 641
	return q, n - n%641
}
func half641(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 641
	return q, m%641 + (m*3)%641
}

func quo1000(n uint64) uint64 { return n / 1000 }
func rem1000(n uint64) uint64 { return n % 1000 }
func both1000(n uint64) (uint64, uint64) {
	q := n / 1000
	return q, n - n%1000
}
func half1000(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 1000
	return q, m%1000 + (m*3)%1000
}

func quo3600(n uint64) uint64 { return n / 3600 }
func rem3600(n uint64) uint64 { return n % 3600 }
func both3600(n uint64) (uint64, uint64) {
	q := n / 3600
	return q, n - n%3600
}
func half3600(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 3600
	return q, m%3600 + (m*3)%3600
}

func quo10000(n uint64) uint64 { return n / 10000 }
func rem10000(n uint64) uint64 { return n % 10000 }
func both10000(n uint64) (uint64, uint64) {
	q := n / 10000
	return q, n - n%10000
}
func half10000(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 10000
	return q, m%10000 + (m*3)%10000
}

func quo32767(n uint64) uint64 { return n / 32767 }
func rem32767(n uint64) uint64 { return n % 32767 }
func both32767(n uint64) (uint64, uint64) {
	q := n / 32767
	return q, n - n%32767
}
func half32767(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 32767
	return q, m%32767 + (m*3)%32767
}

func quo32769(n uint64) uint64 { return n / 32769 }
func rem32769(n uint64) uint64 { return n % 32769 }
func both32769(n uint64) (uint64, uint64) {
	q := n / 32769
	return q, n - n%32769
}
func half32769(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 32769
	return q, m%32769 + (m*3)%32769
}

func quo65535(n uint64) uint64 { return n / 65535 }
func rem65535(n uint64) uint64 { return n % 65535 }
func both65535(n uint64) (uint64, uint64) {
	q := n / 65535
	return q, n - n%65535
}
func half65535(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 65535
	return q, m%65535 + (m*3)%65535
}

func quo65537(n uint64) uint64 { return n / 65537 }
func rem65537(n uint64) uint64 { return n % 65537 }
func both65537(n uint64) (uint64, uint64) {
	q := n / 65537
	return q, n - n%65537
}
func half65537(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 65537
	return q, m%65537 + (m*3)%65537
}

func quo86400(n uint64) uint64 { return n / 86400 }
func rem86400(n uint64) uint64 { return n % 86400 }
func both86400(n uint64) (uint64, uint64) {
	q := n / 86400
	return q, n - n%86400
}
func half86400(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 86400
	return q, m%86400 + (m*3)%86400
}

func quo100003(n uint64) uint64 { return n / 100003 }
func rem100003(n uint64) uint64 { return n % 100003 }
func both100003(n uint64) (uint64, uint64) {
	q := n / 100003
	return q, n - n%100003
}
func half100003(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 100003
	return q, m%100003 + (m*3)%100003
}

func quo139968(n uint64) uint64 { return n / 139968 }
func rem139968(n uint64) uint64 { return n % 139968 }
func both139968(n uint64) (uint64, uint64) {
	q := n / 139968
	return q, n - n%139968
}
func half139968(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 139968
	return q, m%139968 + (m*3)%139968
}

func quo999999(n uint64) uint64 { return n / 999999 }
func rem999999(n uint64) uint64 { return n % 999999 }
func both999999(n uint64) (uint64, uint64) {
	q := n / 999999
	return q, n - n%999999
}
func half999999(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 999999
	return q, m%999999 + (m*3)%999999
}

func quo1000000(n uint64) uint64 { return n / 1000000 }
func rem1000000(n uint64) uint64 { return n % 1000000 }
func both1000000(n uint64) (uint64, uint64) {
	q := n / 1000000
	return q, n - n%1000000
}
func half1000000(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 1000000
	return q, m%1000000 + (m*3)%1000000
}

func quo1048577(n uint64) uint64 { return n / 1048577 }
func rem1048577(n uint64) uint64 { return n % 1048577 }
func both1048577(n uint64) (uint64, uint64) {
	q := n / 1048577
	return q, n - n%1048577
}
func half1048577(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 1048577
	return q, m%1048577 + (m*3)%1048577
}

func quo16777213(n uint64) uint64 { return n / 16777213 }
func rem16777213(n uint64) uint64 { return n % 16777213 }
func both16777213(n uint64) (uint64, uint64) {
	q := n / 16777213
	return q, n - n%16777213
}
func half16777213(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 16777213
	return q, m%16777213 + (m*3)%16777213
}

func quo100000000(n uint64) uint64 { return n / 100000000 }
func rem100000000(n uint64) uint64 { return n % 100000000 }
func both100000000(n uint64) (uint64, uint64) {
	q := n / 100000000
	return q, n - n%100000000
}
func half100000000(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 100000000
	return q, m%100000000 + (m*3)%100000000
}

func quo1000000007(n uint64) uint64 { return n / 1000000007 }
func rem1000000007(n uint64) uint64 { return n % 1000000007 }
func both1000000007(n uint64) (uint64, uint64) {
	q := n / 1000000007
	return q, n - n%1000000007
}
func half1000000007(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 1000000007
	return q, m%1000000007 + (m*3)%1000000007
}

func quo1000000000(n uint64) uint64 { return n / 1000000000 }
func rem1000000000(n uint64) uint64 { return n % 1000000000 }
func both1000000000(n uint64) (uint64, uint64) {
	q := n / 1000000000
	return q, n - n%1000000000
}
func half1000000000(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 1000000000
	return q, m%1000000000 + (m*3)%1000000000
}

func quo2147483629(n uint64) uint64 { return n / 2147483629 }
func rem2147483629(n uint64) uint64 { return n % 2147483629 }
func both2147483629(n uint64) (uint64, uint64) {
	q := n / 2147483629
	return q, n - n%2147483629
}
func half2147483629(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 2147483629
	return q, m%2147483629 + (m*3)%2147483629
}

func quo2147483646(n uint64) uint64 { return n / 2147483646 }
func rem2147483646(n uint64) uint64 { return n % 2147483646 }
func both2147483646(n uint64) (uint64, uint64) {
	q := n / 2147483646
	return q, n - n%2147483646
}
func half2147483646(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 2147483646
	return q, m%2147483646 + (m*3)%2147483646
}

func quo2147483647(n uint64) uint64 { return n / 2147483647 }
func rem2147483647(n uint64) uint64 { return n % 2147483647 }
func both2147483647(n uint64) (uint64, uint64) {
	q := n / 2147483647
	return q, n - n%2147483647
}
func half2147483647(n uint32) (uint32, uint32) {
	m := n + 7
	q := (n + 7) / 2147483647
	return q, m%2147483647 + (m*3)%2147483647
}

var divs = []div{
	{3, quo3, rem3, both3, half3},
	{5, quo5, rem5, both5, half5},
	{6, quo6, rem6, both6, half6},
	{7, quo7, rem7, both7, half7},
	{9, quo9, rem9, both9, half9},
	{10, quo10, rem10, both10, half10},
	{11, quo11, rem11, both11, half11},
	{12, quo12, rem12, both12, half12},
	{13, quo13, rem13, both13, half13},
	{14, quo14, rem14, both14, half14},
	{19, quo19, rem19, both19, half19},
	{21, quo21, rem21, both21, half21},
	{25, quo25, rem25, both25, half25},
	{28, quo28, rem28, both28, half28},
	{60, quo60, rem60, both60, half60},
	{63, quo63, rem63, both63, half63},
	{65, quo65, rem65, both65, half65},
	{100, quo100, rem100, both100, half100},
	{127, quo127, rem127, both127, half127},
	{129, quo129, rem129, both129, half129},
	{641, quo641, rem641, both641, half641},
	{1000, quo1000, rem1000, both1000, half1000},
	{3600, quo3600, rem3600, both3600, half3600},
	{10000, quo10000, rem10000, both10000, half10000},
	{32767, quo32767, rem32767, both32767, half32767},
	{32769, quo32769, rem32769, both32769, half32769},
	{65535, quo65535, rem65535, both65535, half65535},
	{65537, quo65537, rem65537, both65537, half65537},
	{86400, quo86400, rem86400, both86400, half86400},
	{100003, quo100003, rem100003, both100003, half100003},
	{139968, quo139968, rem139968, both139968, half139968},
	{999999, quo999999, rem999999, both999999, half999999},
	{1000000, quo1000000, rem1000000, both1000000, half1000000},
	{1048577, quo1048577, rem1048577, both1048577, half1048577},
	{16777213, quo16777213, rem16777213, both16777213, half16777213},
	{100000000, quo100000000, rem100000000, both100000000, half100000000},
	{1000000007, quo1000000007, rem1000000007, both1000000007, half1000000007},
	{1000000000, quo1000000000, rem1000000000, both1000000000, half1000000000},
	{2147483629, quo2147483629, rem2147483629, both2147483629, half2147483629},
	{2147483646, quo2147483646, rem2147483646, both2147483646, half2147483646},
	{2147483647, quo2147483647, rem2147483647, both2147483647, half2147483647},
}

func quo(n, d uint64) uint64 {
	if d == 0 {
		return 0
	}
	return n / d
}

// What is divided has just been made, of 64 bits.
func after(p *uint64, v []uint64, a, b uint64) (x uint64) {
	x = (a + b) / 7
	x = x*3 + (a*b)/10
	x = x*3 + (a^b)%1000000007
	x = x*3 + *p/7
	x = x*3 + v[b&1]%10
	x = x*3 + (a<<1)/1000
	x = x*3 + (a>>(b&7))%7
	x = x*3 + (a+5)/10
	x = x*3 + (a-b)%7
	x = x*3 + uint64(float64(a^b))>>60
	return x
}

func slowly(p *uint64, v []uint64, a, b uint64) (x uint64) {
	rem := func(n, d uint64) uint64 { return n - quo(n, d)*d }
	x = quo(a+b, 7)
	x = x*3 + quo(a*b, 10)
	x = x*3 + rem(a^b, 1000000007)
	x = x*3 + quo(*p, 7)
	x = x*3 + rem(v[b&1], 10)
	x = x*3 + quo(a<<1, 1000)
	x = x*3 + rem(a>>(b&7), 7)
	x = x*3 + quo(a+5, 10)
	x = x*3 + rem(a-b, 7)
	x = x*3 + uint64(float64(a^b))>>60
	return x
}

var bad int

func check(v *div, n uint64) {
	q := quo(n, v.d)
	r := n - q*v.d
	m := uint32(n) + 7
	hq := quo(uint64(m), v.d)
	hr := uint64(m) - hq*v.d
	h3 := uint64(m * 3)
	h3 -= quo(h3, v.d) * v.d
	q1, r1 := v.quo(n), v.rem(n)
	q2, b2 := v.both(n)
	q3, r3 := v.half(uint32(n))
	if q1 != q || r1 != r || q2 != q || b2 != n-r || uint64(q3) != hq || r3 != uint32(hr)+uint32(h3) {
		if bad++; bad < 10 {
			fmt.Println(v.d, n, q, r, "not", q1, r1, q2, b2, q3, r3)
		}
	}
}

// What is divided lives on, and so does the divisor.
func loop(n uint64, v []uint32) (sum uint64) {
	for i := range v {
		v[i] = (v[i]*3877 + 29573) % 139968
		sum += uint64(v[i]/10) + n%1000003 + uint64(v[i])%7
		n = n/3 + sum*0x9e3779b97f4a7c15
		f := float64(v[i]) / 139968
		sum += uint64(f*1000) + uint64(float32(v[i]))
	}
	return sum ^ n
}

func digits(n uint64) string {
	var b [20]byte
	i := len(b)
	for ; n >= 10; n /= 10 {
		i--
		b[i] = byte('0' + n%10)
	}
	i--
	b[i] = byte('0' + n)
	return string(b[i:])
}

func main() {
	x := uint64(88172645463325252)
	for i := range divs {
		v := &divs[i]
		for _, n := range []uint64{0, 1, 2, 1<<31 - 1, 1 << 31, 1<<32 - 8, 1<<32 - 7, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, ^uint64(0) - 1, ^uint64(0)} {
			check(v, n)
		}
		top := ^uint64(0) / v.d
		for k := range uint64(1200) {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			check(v, x)
			check(v, x>>(k%64))
			if y := x * 3; after(&y, []uint64{x, ^x}, x, y>>(k%64)) != slowly(&y, []uint64{x, ^x}, x, y>>(k%64)) {
				bad++
			}
			for _, m := range []uint64{k, top - k, x % (top + 1), 1<<32/v.d - k} {
				check(v, m*v.d-1)
				check(v, m*v.d)
				check(v, m*v.d+1)
			}
		}
	}
	fmt.Println(len(divs), bad)
	v := make([]uint32, 50)
	for i := range 200 {
		v[i%50] ^= uint32(i)
		if i%40 == 0 {
			fmt.Println(loop(uint64(i)<<40, v))
		}
		loop(uint64(i), v)
	}
	fmt.Println(v)
	for _, n := range []uint64{0, 9, 10, 99, 1234567890, 1<<64 - 1, 1 << 63} {
		fmt.Println(digits(n), digits(n) == fmt.Sprint(n))
	}
}
