// SPDX-License-Identifier: MIT

// Package big: its inner loops over vectors of words are natives, where Go has
// assembly. The names are those of Go 1.19 and, where they have changed since,
// those of newer releases beside them.
package big

func addVV(z, x, y []Word) (c Word)

func subVV(z, x, y []Word) (c Word)

func addVW(z, x []Word, y Word) (c Word)

func subVW(z, x []Word, y Word) (c Word)

func shlVU(z, x []Word, s uint) (c Word)

func shrVU(z, x []Word, s uint) (c Word)

//native shlVU
func lshVU(z, x []Word, s uint) (c Word)

//native shrVU
func rshVU(z, x []Word, s uint) (c Word)

func mulAddVWW(z, x []Word, y, r Word) (c Word)

func addMulVVWW(z, x, y []Word, m, a Word) (c Word)

func addMulVVW(z, x []Word, y Word) (c Word) { return addMulVVWW(z, z, x, y, 0) }
