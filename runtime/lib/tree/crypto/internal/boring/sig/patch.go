// SPDX-License-Identifier: MIT

// Package sig marks programs by functions that they contain; only tools that
// look into executables care.
package sig

func BoringCrypto() {}

func FIPSOnly() {}

func StandardCrypto() {}
