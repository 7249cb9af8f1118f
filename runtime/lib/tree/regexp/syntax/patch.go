// SPDX-License-Identifier: MIT

// Package syntax: its errors are those of vole's package regexp.
package syntax

import "internal/regexp/syntax"

type Error = syntax.Error

type ErrorCode = syntax.ErrorCode
