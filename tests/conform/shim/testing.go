// SPDX-License-Identifier: MIT

package testing

import (
	"io"
	"strings"
	"time"
)

// What Go's tests of package testing ask of its inside: the words of vole's.

func PrettyPrint(w io.Writer, x float64, unit string) {
	var b strings.Builder
	number(&b, x, unit)
	io.WriteString(w, b.String())
}

type HighPrecisionTime = time.Time

var HighPrecisionTimeNow = time.Now

const ParallelConflict = parallelConflict
