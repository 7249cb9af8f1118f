// run
// SPDX-License-Identifier: MIT

// Sums and products of large constants round as in Go's compiler: one bit
// decides each line.
package main

import "fmt"

const (
	k0  = 3899.2405875930906139466e-3751
	k1  = 9895.8452941617061801e-2256
	k2  = 3840.7889712e-1626
	k3  = 2468.85209555e3555
	k4  = 8572.269471624857e652
	k5  = 9685.38e3373
	k6  = 4415.7115027476355803e-3948
	k7  = 2198.2843232360328350645938729539e-888
	k8  = 7147.5822693649505752946836897e-2077
	k9  = k5 + k8
	k10 = k3 - k5
	k11 = k0 + k4
	k12 = k2 / k11
	k13 = k9 * k9
	k14 = k3 + k10
	k15 = 2039.493e-362
	k16 = k2 * k13
	k17 = 6999.2300195958492994143411927e2478
	k18 = k1 - k12
	k19 = k17 + k8
	k20 = 591.31064373e2456
	k21 = k6 / k13
	k22 = k4 / k1
	k23 = k4 / k12
	k24 = k16 - k12
	k25 = k21 * k17
	k26 = k25 / k16
	k27 = k23 * k22
	k28 = k13 + k8
	k29 = k10 / k0
)

func main() {
	fmt.Println((k18+k10)+k0 == k18+(k10+k0))
	fmt.Println((k19+k18)-k18 == k19)
	fmt.Println(k1/k20*k20 == k1)
	fmt.Println(k14/k11*k11 == k14)
	fmt.Println(k19/k22/k8 == k19/(k22*k8))
	fmt.Println((k15*k0)*k18 == k15*(k0*k18))
	fmt.Println(k21/k0*k0 == k21)
	fmt.Println(k20*(k14+k9) == k20*k14+k20*k9)
	fmt.Println(k19/k10*k10 == k19)
	fmt.Println(k5/k10*k10 == k5)
	fmt.Println(k27/k19*k19 == k27)
	fmt.Println(k25 < k12)
	fmt.Println(k26/k0/k18 == k26/(k0*k18))
	fmt.Println(k23*(k4+k9) == k23*k4+k23*k9)
	fmt.Println(k7/k20*k20 == k7)
	fmt.Println(k7/k10/k5 == k7/(k10*k5))
	fmt.Println((k13*k20)*k22 == k13*(k20*k22))
	fmt.Println(k3/k19*k19 == k3)
	fmt.Println((k21+k26)+k7 == k21+(k26+k7))
	fmt.Println((k25*k27)*k5 == k25*(k27*k5))
	fmt.Println((k10+k23)-k23 == k10)
	fmt.Println(k28/k18*k18 == k28)
	fmt.Println((k7*k25)*k3 == k7*(k25*k3))
	fmt.Println(k16 < k6)
	fmt.Println((k26+k26)-k26 == k26)
	fmt.Println(k27 < k8)
	fmt.Println(k26 < k20)
	fmt.Println((k19+k11)-k11 == k19)
	fmt.Println(k13 < k9)
	fmt.Println(k27/k8*k8 == k27)
	fmt.Println((k20+k13)+k9 == k20+(k13+k9))
	fmt.Println((k18+k13)+k1 == k18+(k13+k1))
	fmt.Println((k4+k6)+k0 == k4+(k6+k0))
	fmt.Println(k26*(k28+k19) == k26*k28+k26*k19)
	fmt.Println(k13/k17/k29 == k13/(k17*k29))
	fmt.Println((k7+k1)+k23 == k7+(k1+k23))
	fmt.Println(k26/k24/k21 == k26/(k24*k21))
	fmt.Println(k16/k9*k9 == k16)
	fmt.Println((k28*k7)*k27 == k28*(k7*k27))
	fmt.Println((k27*k18)*k9 == k27*(k18*k9))
	fmt.Println((k25*k7)*k1 == k25*(k7*k1))
	fmt.Println(k28*(k25+k22) == k28*k25+k28*k22)
	fmt.Println((k29+k6)+k28 == k29+(k6+k28))
	fmt.Println((k18+k1)+k0 == k18+(k1+k0))
	fmt.Println(k23*(k3+k5) == k23*k3+k23*k5)
	fmt.Println((k9*k7)*k21 == k9*(k7*k21))
	fmt.Println((k16*k17)*k13 == k16*(k17*k13))
	fmt.Println(k29/k19*k19 == k29)
	fmt.Println(k4*(k8+k27) == k4*k8+k4*k27)
	fmt.Println((k15*k25)*k25 == k15*(k25*k25))
	fmt.Println((k11*k7)*k6 == k11*(k7*k6))
	fmt.Println((k17*k28)*k26 == k17*(k28*k26))
	fmt.Println(k5/k7*k7 == k5)
	fmt.Println((k29+k28)-k28 == k29)
	fmt.Println((k26+k29)+k0 == k26+(k29+k0))
	fmt.Println((k20+k18)+k27 == k20+(k18+k27))
	fmt.Println((k1+k24)-k24 == k1)
	fmt.Println(k8*(k19+k16) == k8*k19+k8*k16)
	fmt.Println(k13/k1*k1 == k13)
	fmt.Println(k24 < k26)
}
