// SPDX-License-Identifier: MIT

// Package bcache: BoringCrypto, whose keys it would hold, is not there.
package bcache

import "unsafe"

func registerCache(unsafe.Pointer) {}
