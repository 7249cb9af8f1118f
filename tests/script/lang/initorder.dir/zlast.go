// SPDX-License-Identifier: MIT

package main

import str "strings"

var name = str.Repeat("ab", factor)

var factor = mul(2)

var extra = func() int { note("extra"); return 100 }()

func mul(n int) int { note("mul"); return n + 1 }

func init() { note("init zlast") }
