// errorcheck
// tree
// own words
// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"no/such/package/v2" // ERROR "package no/such/package/v2 is not in std"
	other "no/such/other.v3" // ERROR "package no/such/other\.v3 is not in std"
)

type t struct {
	other.T
}

func main() {
	v := pack.Values{"a": {"b"}}
	fmt.Println(v, yaml.New(3), other.X)
	undefined()
	var x t
	x.unknown()
}
