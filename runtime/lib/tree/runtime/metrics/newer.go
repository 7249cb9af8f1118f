// SPDX-License-Identifier: MIT

//go:build go1.21

package metrics

import _ "internal/godebug"

//go:linkname registered internal/godebug.registered
func registered(name string) uint64

// changes is how often a setting of GODEBUG has made a difference.
func changes(name string) uint64 { return registered(name) }
