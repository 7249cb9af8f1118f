// SPDX-License-Identifier: MIT

// Made from sort/algo.go by sort/mkfunc.py.

package slices

import "cmp"

func insertionSortOrdered[E cmp.Ordered](data []E, a, b int) {
	for i := a + 1; i < b; i++ {
		for j := i; j > a && cmp.Less(data[j], data[j-1]); j-- {
			data[j], data[j-1] = data[j-1], data[j]
		}
	}
}

// insertFewOrdered puts at most five elements of [a, b) in their places and reports
// whether the range is sorted then.
func insertFewOrdered[E cmp.Ordered](data []E, a, b int) bool {
	i := a + 1
	for try := 0; try < 5; try++ {
		for i < b && !cmp.Less(data[i], data[i-1]) {
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
			for j := i - 1; j >= 1 && cmp.Less(data[j], data[j-1]); j-- {
				data[j], data[j-1] = data[j-1], data[j]
			}
		}
		if b-i >= 2 {
			for j := i + 1; j < b && cmp.Less(data[j], data[j-1]); j++ {
				data[j], data[j-1] = data[j-1], data[j]
			}
		}
	}
	return false
}

func siftDownOrdered[E cmp.Ordered](data []E, root, n, base int) {
	for {
		child := 2*root + 1
		if child >= n {
			return
		}
		if child+1 < n && cmp.Less(data[base+child], data[base+child+1]) {
			child++
		}
		if !cmp.Less(data[base+root], data[base+child]) {
			return
		}
		data[base+root], data[base+child] = data[base+child], data[base+root]
		root = child
	}
}

func heapSortOrdered[E cmp.Ordered](data []E, a, b int) {
	n := b - a
	for i := (n - 1) / 2; i >= 0; i-- {
		siftDownOrdered(data, i, n, a)
	}
	for i := n - 1; i >= 0; i-- {
		data[a], data[a+i] = data[a+i], data[a]
		siftDownOrdered(data, 0, i, a)
	}
}

// medianOrdered returns which of i, j and k holds the middle element, and how many
// exchanges of the three that takes.
func medianOrdered[E cmp.Ordered](data []E, i, j, k int) (m, swaps int) {
	if cmp.Less(data[j], data[i]) {
		i, j = j, i
		swaps++
	}
	if cmp.Less(data[k], data[j]) {
		j = k
		swaps++
	}
	if cmp.Less(data[j], data[i]) {
		j = i
		swaps++
	}
	return j, swaps
}

// pivotOrdered chooses a pivot of [a, b), which is longer than shortRange.
func pivotOrdered[E cmp.Ordered](data []E, a, b int) (m int, l look) {
	quarter := (b - a) / 4
	i, j, k := a+quarter, a+2*quarter, a+3*quarter
	swaps := 0
	if b-a >= manySamples {
		var si, sj, sk int
		i, si = medianOrdered(data, i-1, i, i+1)
		j, sj = medianOrdered(data, j-1, j, j+1)
		k, sk = medianOrdered(data, k-1, k, k+1)
		swaps = si + sj + sk
	}
	m, s := medianOrdered(data, i, j, k)
	switch swaps + s {
	case 0:
		return m, looksSorted
	case 12: // all that four medians can need
		return m, looksReversed
	}
	return m, looksMixed
}

// scatterOrdered exchanges three elements around the middle of [a, b) with others
// that are drawn by a generator seeded with the length, to break a pattern
// that makes partitions uneven.
func scatterOrdered[E cmp.Ordered](data []E, a, b int) {
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

// reverseRangeOrdered turns [a, b) round.
func reverseRangeOrdered[E cmp.Ordered](data []E, a, b int) {
	for b--; a < b; a, b = a+1, b-1 {
		data[a], data[b] = data[b], data[a]
	}
}

// skipEqualOrdered moves what equals element m, a least one of [a, b), to the front
// and returns where the rest begins.
func skipEqualOrdered[E cmp.Ordered](data []E, a, b, m int) int {
	data[a], data[m] = data[m], data[a]
	lo, hi := a+1, b-1
	for {
		for lo <= hi && !cmp.Less(data[a], data[lo]) {
			lo++
		}
		for lo <= hi && cmp.Less(data[a], data[hi]) {
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

// partitionOrdered divides [a, b) by its element m: smaller ones before p, where
// that element goes, the others behind. It reports whether nothing else had
// to move.
func partitionOrdered[E cmp.Ordered](data []E, a, b, m int) (p int, was bool) {
	data[a], data[m] = data[m], data[a]
	lo, hi := a+1, b-1
	for was = true; ; was = false {
		for lo <= hi && cmp.Less(data[lo], data[a]) {
			lo++
		}
		for lo <= hi && !cmp.Less(data[hi], data[a]) {
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

// quickSortOrdered sorts [a, b); elements before a, if any, are not above those in
// it. After bad more uneven partitions it is heapsort's turn.
func quickSortOrdered[E cmp.Ordered](data []E, a, b, bad int) {
	even, partitioned := true, true // what the last partition was
	for b-a > shortRange {
		if bad == 0 {
			heapSortOrdered(data, a, b)
			return
		}
		if !even {
			scatterOrdered(data, a, b)
			bad--
		}
		m, l := pivotOrdered(data, a, b)
		if l == looksReversed {
			reverseRangeOrdered(data, a, b)
			m = b - 1 - (m - a)
			l = looksSorted
		}
		if even && partitioned && l == looksSorted && insertFewOrdered(data, a, b) {
			return
		}
		if a > 0 && !cmp.Less(data[a-1], data[m]) {
			// Nothing here is below the pivot: what equals it is in place.
			a = skipEqualOrdered(data, a, b, m)
			continue
		}
		var p int
		least := (b - a) / 8
		p, partitioned = partitionOrdered(data, a, b, m)
		if left, right := p-a, b-p; left < right {
			even = left >= least
			quickSortOrdered(data, a, p, bad)
			a = p + 1
		} else {
			even = right >= least
			quickSortOrdered(data, p+1, b, bad)
			b = p
		}
	}
	insertionSortOrdered(data, a, b)
}
