// SPDX-License-Identifier: MIT

//go:build !go1.20

// Package build has a file that Go's build makes, which packages of sources do
// not have: whether cgo is the default, by system and processor.
package build

const defaultCGO_ENABLED = ""

var cgoEnabled = map[string]bool{"linux/amd64": true}
