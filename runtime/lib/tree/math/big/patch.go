// SPDX-License-Identifier: MIT

// Package big: its inner loops over vectors of words are natives, where Go has
// assembly. The names are those of Go 1.19 and, where they have changed since,
// those of newer releases beside them.
package big

//race:writes z, reads x[:z], reads y[:z]
func addVV(z, x, y []Word) (c Word)

//race:writes z, reads x[:z], reads y[:z]
func subVV(z, x, y []Word) (c Word)

//race:writes z, reads x[:z]
func addVW(z, x []Word, y Word) (c Word)

//race:writes z, reads x[:z]
func subVW(z, x []Word, y Word) (c Word)

//race:writes z, reads x[:z]
func shlVU(z, x []Word, s uint) (c Word)

//race:writes z, reads x[:z]
func shrVU(z, x []Word, s uint) (c Word)

//native shlVU
//race:writes z, reads x[:z]
func lshVU(z, x []Word, s uint) (c Word)

//native shrVU
//race:writes z, reads x[:z]
func rshVU(z, x []Word, s uint) (c Word)

//race:writes z, reads x[:z]
func mulAddVWW(z, x []Word, y, r Word) (c Word)

//race:writes z, reads x[:z], reads y[:z]
func addMulVVWW(z, x, y []Word, m, a Word) (c Word)

func addMulVVW(z, x []Word, y Word) (c Word) { return addMulVVWW(z, z, x, y, 0) }
