// SPDX-License-Identifier: MIT

package path

import "internal/glob"

// Match reports whether the whole name matches a shell pattern: * and ? match
// no slash, [a-z] and [^a-z] are sets, a backslash takes away any meaning.
func Match(pattern, name string) (matched bool, err error) {
	matched, bad := glob.Match(pattern, name, true)
	if bad {
		err = ErrBadPattern
	}
	return matched, err
}
