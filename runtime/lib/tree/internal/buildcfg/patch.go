// SPDX-License-Identifier: MIT

//go:build !go1.20

// Package buildcfg has a file that Go's build makes, which packages of sources
// do not have.
package buildcfg

import "runtime"

const (
	defaultGO386              = "sse2"
	defaultGOAMD64            = "v1"
	defaultGOARM              = "5"
	defaultGOMIPS             = "hardfloat"
	defaultGOMIPS64           = "hardfloat"
	defaultGOPPC64            = "power8"
	defaultGOEXPERIMENT       = ""
	defaultGO_EXTLINK_ENABLED = ""
	defaultGO_LDSO            = ""
	version                   = "go1.19"
	defaultGOOS               = runtime.GOOS
	defaultGOARCH             = runtime.GOARCH
)
