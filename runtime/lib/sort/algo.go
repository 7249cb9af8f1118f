// SPDX-License-Identifier: MIT

package sort

// Pattern-defeating quicksort (Peters, arXiv:2106.05123): quicksort with a
// pivot of three or nine samples, insertion sort on short ranges and on those
// that look sorted, heapsort where the pivots are bad. Stable is insertion
// sort on blocks and in-place merging by rotation, after Kim and Kutzner's
// SymMerge (2004).
//
// Where equal elements end is not specified, and programs depend on it all the
// same: so each function here calls Less and Swap in the order in which Go's
// does.

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

func insertionSort(data Interface, a, b int) {
	for i := a + 1; i < b; i++ {
		for j := i; j > a && data.Less(j, j-1); j-- {
			data.Swap(j, j-1)
		}
	}
}

// insertFew puts at most five elements of [a, b) in their places and reports
// whether the range is sorted then.
func insertFew(data Interface, a, b int) bool {
	i := a + 1
	for try := 0; try < 5; try++ {
		for i < b && !data.Less(i, i-1) {
			i++
		}
		if i == b {
			return true
		}
		if b-a < manySamples {
			return false
		}
		data.Swap(i, i-1)
		// The smaller of the two goes left, the greater right.
		if i-a >= 2 {
			for j := i - 1; j >= 1 && data.Less(j, j-1); j-- {
				data.Swap(j, j-1)
			}
		}
		if b-i >= 2 {
			for j := i + 1; j < b && data.Less(j, j-1); j++ {
				data.Swap(j, j-1)
			}
		}
	}
	return false
}

func siftDown(data Interface, root, n, base int) {
	for {
		child := 2*root + 1
		if child >= n {
			return
		}
		if child+1 < n && data.Less(base+child, base+child+1) {
			child++
		}
		if !data.Less(base+root, base+child) {
			return
		}
		data.Swap(base+root, base+child)
		root = child
	}
}

func heapSort(data Interface, a, b int) {
	n := b - a
	for i := (n - 1) / 2; i >= 0; i-- {
		siftDown(data, i, n, a)
	}
	for i := n - 1; i >= 0; i-- {
		data.Swap(a, a+i)
		siftDown(data, 0, i, a)
	}
}

// median returns which of i, j and k holds the middle element, and how many
// exchanges of the three that takes.
func median(data Interface, i, j, k int) (m, swaps int) {
	if data.Less(j, i) {
		i, j = j, i
		swaps++
	}
	if data.Less(k, j) {
		j = k
		swaps++
	}
	if data.Less(j, i) {
		j = i
		swaps++
	}
	return j, swaps
}

// pivot chooses a pivot of [a, b), which is longer than shortRange.
func pivot(data Interface, a, b int) (m int, l look) {
	quarter := (b - a) / 4
	i, j, k := a+quarter, a+2*quarter, a+3*quarter
	swaps := 0
	if b-a >= manySamples {
		var si, sj, sk int
		i, si = median(data, i-1, i, i+1)
		j, sj = median(data, j-1, j, j+1)
		k, sk = median(data, k-1, k, k+1)
		swaps = si + sj + sk
	}
	m, s := median(data, i, j, k)
	switch swaps + s {
	case 0:
		return m, looksSorted
	case 12: // all that four medians can need
		return m, looksReversed
	}
	return m, looksMixed
}

// scatter exchanges three elements around the middle of [a, b) with others
// that are drawn by a generator seeded with the length, to break a pattern
// that makes partitions uneven.
func scatter(data Interface, a, b int) {
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
		data.Swap(i, a+other)
	}
}

// reverseRange turns [a, b) round.
func reverseRange(data Interface, a, b int) {
	for b--; a < b; a, b = a+1, b-1 {
		data.Swap(a, b)
	}
}

// skipEqual moves what equals element m, a least one of [a, b), to the front
// and returns where the rest begins.
func skipEqual(data Interface, a, b, m int) int {
	data.Swap(a, m)
	lo, hi := a+1, b-1
	for {
		for lo <= hi && !data.Less(a, lo) {
			lo++
		}
		for lo <= hi && data.Less(a, hi) {
			hi--
		}
		if lo > hi {
			return lo
		}
		data.Swap(lo, hi)
		lo++
		hi--
	}
}

// partition divides [a, b) by its element m: smaller ones before p, where
// that element goes, the others behind. It reports whether nothing else had
// to move.
func partition(data Interface, a, b, m int) (p int, was bool) {
	data.Swap(a, m)
	lo, hi := a+1, b-1
	for was = true; ; was = false {
		for lo <= hi && data.Less(lo, a) {
			lo++
		}
		for lo <= hi && !data.Less(hi, a) {
			hi--
		}
		if lo > hi {
			data.Swap(hi, a)
			return hi, was
		}
		data.Swap(lo, hi)
		lo++
		hi--
	}
}

// quickSort sorts [a, b); elements before a, if any, are not above those in
// it. After bad more uneven partitions it is heapsort's turn.
func quickSort(data Interface, a, b, bad int) {
	even, partitioned := true, true // what the last partition was
	for b-a > shortRange {
		if bad == 0 {
			heapSort(data, a, b)
			return
		}
		if !even {
			scatter(data, a, b)
			bad--
		}
		m, l := pivot(data, a, b)
		if l == looksReversed {
			reverseRange(data, a, b)
			m = b - 1 - (m - a)
			l = looksSorted
		}
		if even && partitioned && l == looksSorted && insertFew(data, a, b) {
			return
		}
		if a > 0 && !data.Less(a-1, m) {
			// Nothing here is below the pivot: what equals it is in place.
			a = skipEqual(data, a, b, m)
			continue
		}
		var p int
		least := (b - a) / 8
		p, partitioned = partition(data, a, b, m)
		if left, right := p-a, b-p; left < right {
			even = left >= least
			quickSort(data, a, p, bad)
			a = p + 1
		} else {
			even = right >= least
			quickSort(data, p+1, b, bad)
			b = p
		}
	}
	insertionSort(data, a, b)
}

func stable(data Interface, n int) {
	const block = 20
	for a := 0; a < n; a += block {
		insertionSort(data, a, min(a+block, n))
	}
	for size := block; size < n; size *= 2 {
		for a := 0; a+size < n; a += 2 * size {
			symMerge(data, a, a+size, min(a+2*size, n))
		}
	}
}

// symMerge merges the sorted [a, m) and [m, b), neither empty, in place: it
// cuts both so that the parts outside the middle of [a, b) change sides by one
// rotation, and merges the halves.
func symMerge(data Interface, a, m, b int) {
	if m-a == 1 {
		// Insert the one element from the left into the right.
		lo, hi := m, b
		for lo < hi {
			c := int(uint(lo+hi) >> 1)
			if data.Less(c, a) {
				lo = c + 1
			} else {
				hi = c
			}
		}
		for i := a; i < lo-1; i++ {
			data.Swap(i, i+1)
		}
		return
	}
	if b-m == 1 {
		// Insert the one element from the right into the left.
		lo, hi := a, m
		for lo < hi {
			c := int(uint(lo+hi) >> 1)
			if !data.Less(m, c) {
				lo = c + 1
			} else {
				hi = c
			}
		}
		for i := m; i > lo; i-- {
			data.Swap(i, i-1)
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
		if !data.Less(last-c, c) {
			lo = c + 1
		} else {
			hi = c
		}
	}
	end := sum - lo
	if lo < m && m < end {
		rotate(data, lo, m, end)
	}
	if a < lo && lo < mid {
		symMerge(data, a, lo, mid)
	}
	if mid < end && end < b {
		symMerge(data, mid, end, b)
	}
}

// rotate exchanges the neighbours [a, m) and [m, b).
func rotate(data Interface, a, m, b int) {
	i, j := m-a, b-m
	for i != j {
		if i > j {
			swapRange(data, m-i, m, j)
			i -= j
		} else {
			swapRange(data, m-i, m+j-i, i)
			j -= i
		}
	}
	swapRange(data, m-i, m, i)
}

func swapRange(data Interface, a, b, n int) {
	for i := 0; i < n; i++ {
		data.Swap(a+i, b+i)
	}
}
