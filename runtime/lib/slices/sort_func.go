// SPDX-License-Identifier: MIT

// Made from sort/algo.go by sort/mkfunc.py.

package slices

// shortRange is the length up to which insertion sort is used.
const shortRange = 12

// manySamples is the length from which the pivot is chosen from nine
// elements, and from which a range that looks sorted is finished by insertion.
const manySamples = 50

// A look is what the samples for a pivot say of a range.
type look int

const (
	looksMixed look = iota
	looksSorted
	looksReversed
)

// badPivots is the number of uneven partitions from which on heapsort takes
// over.
func badPivots(n int) int {
	d := 0
	for ; n > 0; n >>= 1 {
		d++
	}
	return d
}

func insertionSortFunc[E any](data []E, cmp func(a, b E) int, a, b int) {
	for i := a + 1; i < b; i++ {
		for j := i; j > a && cmp(data[j], data[j-1]) < 0; j-- {
			data[j], data[j-1] = data[j-1], data[j]
		}
	}
}

// insertFewFunc puts at most five elements of [a, b) in their places and reports
// whether the range is sorted then.
func insertFewFunc[E any](data []E, cmp func(a, b E) int, a, b int) bool {
	i := a + 1
	for try := 0; try < 5; try++ {
		for i < b && cmp(data[i], data[i-1]) >= 0 {
			i++
		}
		if i == b {
			return true
		}
		if b-a < manySamples {
			return false
		}
		data[i], data[i-1] = data[i-1], data[i]
		// The smaller of the two goes left, the greater right.
		if i-a >= 2 {
			for j := i - 1; j >= 1 && cmp(data[j], data[j-1]) < 0; j-- {
				data[j], data[j-1] = data[j-1], data[j]
			}
		}
		if b-i >= 2 {
			for j := i + 1; j < b && cmp(data[j], data[j-1]) < 0; j++ {
				data[j], data[j-1] = data[j-1], data[j]
			}
		}
	}
	return false
}

func siftDownFunc[E any](data []E, cmp func(a, b E) int, root, n, base int) {
	for {
		child := 2*root + 1
		if child >= n {
			return
		}
		if child+1 < n && cmp(data[base+child], data[base+child+1]) < 0 {
			child++
		}
		if cmp(data[base+root], data[base+child]) >= 0 {
			return
		}
		data[base+root], data[base+child] = data[base+child], data[base+root]
		root = child
	}
}

func heapSortFunc[E any](data []E, cmp func(a, b E) int, a, b int) {
	n := b - a
	for i := (n - 1) / 2; i >= 0; i-- {
		siftDownFunc(data, cmp, i, n, a)
	}
	for i := n - 1; i >= 0; i-- {
		data[a], data[a+i] = data[a+i], data[a]
		siftDownFunc(data, cmp, 0, i, a)
	}
}

// medianFunc returns which of i, j and k holds the middle element, and how many
// exchanges of the three that takes.
func medianFunc[E any](data []E, cmp func(a, b E) int, i, j, k int) (m, swaps int) {
	if cmp(data[j], data[i]) < 0 {
		i, j = j, i
		swaps++
	}
	if cmp(data[k], data[j]) < 0 {
		j = k
		swaps++
	}
	if cmp(data[j], data[i]) < 0 {
		j = i
		swaps++
	}
	return j, swaps
}

// pivotFunc chooses a pivot of [a, b), which is longer than shortRange.
func pivotFunc[E any](data []E, cmp func(a, b E) int, a, b int) (m int, l look) {
	quarter := (b - a) / 4
	i, j, k := a+quarter, a+2*quarter, a+3*quarter
	swaps := 0
	if b-a >= manySamples {
		var si, sj, sk int
		i, si = medianFunc(data, cmp, i-1, i, i+1)
		j, sj = medianFunc(data, cmp, j-1, j, j+1)
		k, sk = medianFunc(data, cmp, k-1, k, k+1)
		swaps = si + sj + sk
	}
	m, s := medianFunc(data, cmp, i, j, k)
	switch swaps + s {
	case 0:
		return m, looksSorted
	case 12: // all that four medians can need
		return m, looksReversed
	}
	return m, looksMixed
}

// scatterFunc exchanges three elements around the middle of [a, b) with others
// that are drawn by a generator seeded with the length, to break a pattern
// that makes partitions uneven.
func scatterFunc[E any](data []E, cmp func(a, b E) int, a, b int) {
	n := b - a
	mask := uint64(1)
	for mask <= uint64(n) {
		mask <<= 1
	}
	mask--
	middle := a + n/4*2
	random := uint64(n)
	for i := middle - 1; i <= middle+1; i++ {
		random ^= random << 13
		random ^= random >> 7
		random ^= random << 17
		other := int(random & mask)
		if other >= n {
			other -= n
		}
		data[i], data[a+other] = data[a+other], data[i]
	}
}

// reverseRangeFunc turns [a, b) round.
func reverseRangeFunc[E any](data []E, cmp func(a, b E) int, a, b int) {
	for b--; a < b; a, b = a+1, b-1 {
		data[a], data[b] = data[b], data[a]
	}
}

// skipEqualFunc moves what equals element m, a least one of [a, b), to the front
// and returns where the rest begins.
func skipEqualFunc[E any](data []E, cmp func(a, b E) int, a, b, m int) int {
	data[a], data[m] = data[m], data[a]
	lo, hi := a+1, b-1
	for {
		for lo <= hi && cmp(data[a], data[lo]) >= 0 {
			lo++
		}
		for lo <= hi && cmp(data[a], data[hi]) < 0 {
			hi--
		}
		if lo > hi {
			return lo
		}
		data[lo], data[hi] = data[hi], data[lo]
		lo++
		hi--
	}
}

// partitionFunc divides [a, b) by its element m: smaller ones before p, where
// that element goes, the others behind. It reports whether nothing else had
// to move.
func partitionFunc[E any](data []E, cmp func(a, b E) int, a, b, m int) (p int, was bool) {
	data[a], data[m] = data[m], data[a]
	lo, hi := a+1, b-1
	for was = true; ; was = false {
		for lo <= hi && cmp(data[lo], data[a]) < 0 {
			lo++
		}
		for lo <= hi && cmp(data[hi], data[a]) >= 0 {
			hi--
		}
		if lo > hi {
			data[hi], data[a] = data[a], data[hi]
			return hi, was
		}
		data[lo], data[hi] = data[hi], data[lo]
		lo++
		hi--
	}
}

// quickSortFunc sorts [a, b); elements before a, if any, are not above those in
// it. After bad more uneven partitions it is heapsort's turn.
func quickSortFunc[E any](data []E, cmp func(a, b E) int, a, b, bad int) {
	even, partitioned := true, true // what the last partition was
	for b-a > shortRange {
		if bad == 0 {
			heapSortFunc(data, cmp, a, b)
			return
		}
		if !even {
			scatterFunc(data, cmp, a, b)
			bad--
		}
		m, l := pivotFunc(data, cmp, a, b)
		if l == looksReversed {
			reverseRangeFunc(data, cmp, a, b)
			m = b - 1 - (m - a)
			l = looksSorted
		}
		if even && partitioned && l == looksSorted && insertFewFunc(data, cmp, a, b) {
			return
		}
		if a > 0 && cmp(data[a-1], data[m]) >= 0 {
			// Nothing here is below the pivot: what equals it is in place.
			a = skipEqualFunc(data, cmp, a, b, m)
			continue
		}
		var p int
		least := (b - a) / 8
		p, partitioned = partitionFunc(data, cmp, a, b, m)
		if left, right := p-a, b-p; left < right {
			even = left >= least
			quickSortFunc(data, cmp, a, p, bad)
			a = p + 1
		} else {
			even = right >= least
			quickSortFunc(data, cmp, p+1, b, bad)
			b = p
		}
	}
	insertionSortFunc(data, cmp, a, b)
}

func stableFunc[E any](data []E, cmp func(a, b E) int, n int) {
	const block = 20
	for a := 0; a < n; a += block {
		insertionSortFunc(data, cmp, a, min(a+block, n))
	}
	for size := block; size < n; size *= 2 {
		for a := 0; a+size < n; a += 2 * size {
			symMergeFunc(data, cmp, a, a+size, min(a+2*size, n))
		}
	}
}

// symMergeFunc merges the sorted [a, m) and [m, b), neither empty, in place: it
// cuts both so that the parts outside the middle of [a, b) change sides by one
// rotation, and merges the halves.
func symMergeFunc[E any](data []E, cmp func(a, b E) int, a, m, b int) {
	if m-a == 1 {
		// Insert the one element from the left into the right.
		lo, hi := m, b
		for lo < hi {
			c := int(uint(lo+hi) >> 1)
			if cmp(data[c], data[a]) < 0 {
				lo = c + 1
			} else {
				hi = c
			}
		}
		for i := a; i < lo-1; i++ {
			data[i], data[i+1] = data[i+1], data[i]
		}
		return
	}
	if b-m == 1 {
		// Insert the one element from the right into the left.
		lo, hi := a, m
		for lo < hi {
			c := int(uint(lo+hi) >> 1)
			if cmp(data[m], data[c]) >= 0 {
				lo = c + 1
			} else {
				hi = c
			}
		}
		for i := m; i > lo; i-- {
			data[i], data[i-1] = data[i-1], data[i]
		}
		return
	}
	mid := int(uint(a+b) >> 1)
	sum := mid + m
	// The cut of the left part: as many elements stay on the left as leave
	// exactly the first half there.
	lo, hi := a, m
	if m > mid {
		lo, hi = sum-b, mid
	}
	for last := sum - 1; lo < hi; {
		c := int(uint(lo+hi) >> 1)
		if cmp(data[last-c], data[c]) >= 0 {
			lo = c + 1
		} else {
			hi = c
		}
	}
	end := sum - lo
	if lo < m && m < end {
		rotateFunc(data, cmp, lo, m, end)
	}
	if a < lo && lo < mid {
		symMergeFunc(data, cmp, a, lo, mid)
	}
	if mid < end && end < b {
		symMergeFunc(data, cmp, mid, end, b)
	}
}

// rotateFunc exchanges the neighbours [a, m) and [m, b).
func rotateFunc[E any](data []E, cmp func(a, b E) int, a, m, b int) {
	i, j := m-a, b-m
	for i != j {
		if i > j {
			swapRangeFunc(data, cmp, m-i, m, j)
			i -= j
		} else {
			swapRangeFunc(data, cmp, m-i, m+j-i, i)
			j -= i
		}
	}
	swapRangeFunc(data, cmp, m-i, m, i)
}

func swapRangeFunc[E any](data []E, cmp func(a, b E) int, a, b, n int) {
	for i := 0; i < n; i++ {
		data[a+i], data[b+i] = data[b+i], data[a+i]
	}
}
