// SPDX-License-Identifier: MIT

// Made from sort/algo.go by sort/mkfunc.py.

package sort

func insertionSort_func(data *lessSwap, less func(i, j int) bool, a, b int) {
	for i := a + 1; i < b; i++ {
		for j := i; j > a && less(j, j-1); j-- {
			if w := data.words; len(w) != 0 {
				w[j], w[j-1] = w[j-1], w[j]
			} else {
				swap(data.data, data.elem, j, j-1)
			}
		}
	}
}

// insertFew_func puts at most five elements of [a, b) in their places and reports
// whether the range is sorted then.
func insertFew_func(data *lessSwap, less func(i, j int) bool, a, b int) bool {
	i := a + 1
	for try := 0; try < 5; try++ {
		for i < b && !less(i, i-1) {
			i++
		}
		if i == b {
			return true
		}
		if b-a < manySamples {
			return false
		}
		if w := data.words; len(w) != 0 {
			w[i], w[i-1] = w[i-1], w[i]
		} else {
			swap(data.data, data.elem, i, i-1)
		}
		// The smaller of the two goes left, the greater right.
		if i-a >= 2 {
			for j := i - 1; j >= 1 && less(j, j-1); j-- {
				if w := data.words; len(w) != 0 {
					w[j], w[j-1] = w[j-1], w[j]
				} else {
					swap(data.data, data.elem, j, j-1)
				}
			}
		}
		if b-i >= 2 {
			for j := i + 1; j < b && less(j, j-1); j++ {
				if w := data.words; len(w) != 0 {
					w[j], w[j-1] = w[j-1], w[j]
				} else {
					swap(data.data, data.elem, j, j-1)
				}
			}
		}
	}
	return false
}

func siftDown_func(data *lessSwap, less func(i, j int) bool, root, n, base int) {
	for {
		child := 2*root + 1
		if child >= n {
			return
		}
		if child+1 < n && less(base+child, base+child+1) {
			child++
		}
		if !less(base+root, base+child) {
			return
		}
		if w := data.words; len(w) != 0 {
			w[base+root], w[base+child] = w[base+child], w[base+root]
		} else {
			swap(data.data, data.elem, base+root, base+child)
		}
		root = child
	}
}

func heapSort_func(data *lessSwap, less func(i, j int) bool, a, b int) {
	n := b - a
	for i := (n - 1) / 2; i >= 0; i-- {
		siftDown_func(data, less, i, n, a)
	}
	for i := n - 1; i >= 0; i-- {
		if w := data.words; len(w) != 0 {
			w[a], w[a+i] = w[a+i], w[a]
		} else {
			swap(data.data, data.elem, a, a+i)
		}
		siftDown_func(data, less, 0, i, a)
	}
}

// median_func returns which of i, j and k holds the middle element, and how many
// exchanges of the three that takes.
func median_func(data *lessSwap, less func(i, j int) bool, i, j, k int) (m, swaps int) {
	if less(j, i) {
		i, j = j, i
		swaps++
	}
	if less(k, j) {
		j = k
		swaps++
	}
	if less(j, i) {
		j = i
		swaps++
	}
	return j, swaps
}

// pivot_func chooses a pivot of [a, b), which is longer than shortRange.
func pivot_func(data *lessSwap, less func(i, j int) bool, a, b int) (m int, l look) {
	quarter := (b - a) / 4
	i, j, k := a+quarter, a+2*quarter, a+3*quarter
	swaps := 0
	if b-a >= manySamples {
		var si, sj, sk int
		i, si = median_func(data, less, i-1, i, i+1)
		j, sj = median_func(data, less, j-1, j, j+1)
		k, sk = median_func(data, less, k-1, k, k+1)
		swaps = si + sj + sk
	}
	m, s := median_func(data, less, i, j, k)
	switch swaps + s {
	case 0:
		return m, looksSorted
	case 12: // all that four medians can need
		return m, looksReversed
	}
	return m, looksMixed
}

// scatter_func exchanges three elements around the middle of [a, b) with others
// that are drawn by a generator seeded with the length, to break a pattern
// that makes partitions uneven.
func scatter_func(data *lessSwap, less func(i, j int) bool, a, b int) {
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
		if w := data.words; len(w) != 0 {
			w[i], w[a+other] = w[a+other], w[i]
		} else {
			swap(data.data, data.elem, i, a+other)
		}
	}
}

// reverseRange_func turns [a, b) round.
func reverseRange_func(data *lessSwap, less func(i, j int) bool, a, b int) {
	for b--; a < b; a, b = a+1, b-1 {
		if w := data.words; len(w) != 0 {
			w[a], w[b] = w[b], w[a]
		} else {
			swap(data.data, data.elem, a, b)
		}
	}
}

// skipEqual_func moves what equals element m, a least one of [a, b), to the front
// and returns where the rest begins.
func skipEqual_func(data *lessSwap, less func(i, j int) bool, a, b, m int) int {
	if w := data.words; len(w) != 0 {
		w[a], w[m] = w[m], w[a]
	} else {
		swap(data.data, data.elem, a, m)
	}
	lo, hi := a+1, b-1
	for {
		for lo <= hi && !less(a, lo) {
			lo++
		}
		for lo <= hi && less(a, hi) {
			hi--
		}
		if lo > hi {
			return lo
		}
		if w := data.words; len(w) != 0 {
			w[lo], w[hi] = w[hi], w[lo]
		} else {
			swap(data.data, data.elem, lo, hi)
		}
		lo++
		hi--
	}
}

// partition_func divides [a, b) by its element m: smaller ones before p, where
// that element goes, the others behind. It reports whether nothing else had
// to move.
func partition_func(data *lessSwap, less func(i, j int) bool, a, b, m int) (p int, was bool) {
	if w := data.words; len(w) != 0 {
		w[a], w[m] = w[m], w[a]
	} else {
		swap(data.data, data.elem, a, m)
	}
	lo, hi := a+1, b-1
	for was = true; ; was = false {
		for lo <= hi && less(lo, a) {
			lo++
		}
		for lo <= hi && !less(hi, a) {
			hi--
		}
		if lo > hi {
			if w := data.words; len(w) != 0 {
				w[hi], w[a] = w[a], w[hi]
			} else {
				swap(data.data, data.elem, hi, a)
			}
			return hi, was
		}
		if w := data.words; len(w) != 0 {
			w[lo], w[hi] = w[hi], w[lo]
		} else {
			swap(data.data, data.elem, lo, hi)
		}
		lo++
		hi--
	}
}

// quickSort_func sorts [a, b); elements before a, if any, are not above those in
// it. After bad more uneven partitions it is heapsort's turn.
func quickSort_func(data *lessSwap, less func(i, j int) bool, a, b, bad int) {
	even, partitioned := true, true // what the last partition was
	for b-a > shortRange {
		if bad == 0 {
			heapSort_func(data, less, a, b)
			return
		}
		if !even {
			scatter_func(data, less, a, b)
			bad--
		}
		m, l := pivot_func(data, less, a, b)
		if l == looksReversed {
			reverseRange_func(data, less, a, b)
			m = b - 1 - (m - a)
			l = looksSorted
		}
		if even && partitioned && l == looksSorted && insertFew_func(data, less, a, b) {
			return
		}
		if a > 0 && !less(a-1, m) {
			// Nothing here is below the pivot: what equals it is in place.
			a = skipEqual_func(data, less, a, b, m)
			continue
		}
		var p int
		least := (b - a) / 8
		p, partitioned = partition_func(data, less, a, b, m)
		if left, right := p-a, b-p; left < right {
			even = left >= least
			quickSort_func(data, less, a, p, bad)
			a = p + 1
		} else {
			even = right >= least
			quickSort_func(data, less, p+1, b, bad)
			b = p
		}
	}
	insertionSort_func(data, less, a, b)
}

func stable_func(data *lessSwap, less func(i, j int) bool, n int) {
	const block = 20
	for a := 0; a < n; a += block {
		insertionSort_func(data, less, a, min(a+block, n))
	}
	for size := block; size < n; size *= 2 {
		for a := 0; a+size < n; a += 2 * size {
			symMerge_func(data, less, a, a+size, min(a+2*size, n))
		}
	}
}

// symMerge_func merges the sorted [a, m) and [m, b), neither empty, in place: it
// cuts both so that the parts outside the middle of [a, b) change sides by one
// rotation, and merges the halves.
func symMerge_func(data *lessSwap, less func(i, j int) bool, a, m, b int) {
	if m-a == 1 {
		// Insert the one element from the left into the right.
		lo, hi := m, b
		for lo < hi {
			c := int(uint(lo+hi) >> 1)
			if less(c, a) {
				lo = c + 1
			} else {
				hi = c
			}
		}
		for i := a; i < lo-1; i++ {
			if w := data.words; len(w) != 0 {
				w[i], w[i+1] = w[i+1], w[i]
			} else {
				swap(data.data, data.elem, i, i+1)
			}
		}
		return
	}
	if b-m == 1 {
		// Insert the one element from the right into the left.
		lo, hi := a, m
		for lo < hi {
			c := int(uint(lo+hi) >> 1)
			if !less(m, c) {
				lo = c + 1
			} else {
				hi = c
			}
		}
		for i := m; i > lo; i-- {
			if w := data.words; len(w) != 0 {
				w[i], w[i-1] = w[i-1], w[i]
			} else {
				swap(data.data, data.elem, i, i-1)
			}
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
		if !less(last-c, c) {
			lo = c + 1
		} else {
			hi = c
		}
	}
	end := sum - lo
	if lo < m && m < end {
		rotate_func(data, less, lo, m, end)
	}
	if a < lo && lo < mid {
		symMerge_func(data, less, a, lo, mid)
	}
	if mid < end && end < b {
		symMerge_func(data, less, mid, end, b)
	}
}

// rotate_func exchanges the neighbours [a, m) and [m, b).
func rotate_func(data *lessSwap, less func(i, j int) bool, a, m, b int) {
	i, j := m-a, b-m
	for i != j {
		if i > j {
			swapRange_func(data, less, m-i, m, j)
			i -= j
		} else {
			swapRange_func(data, less, m-i, m+j-i, i)
			j -= i
		}
	}
	swapRange_func(data, less, m-i, m, i)
}

func swapRange_func(data *lessSwap, less func(i, j int) bool, a, b, n int) {
	for i := 0; i < n; i++ {
		if w := data.words; len(w) != 0 {
			w[a+i], w[b+i] = w[b+i], w[a+i]
		} else {
			swap(data.data, data.elem, a+i, b+i)
		}
	}
}
