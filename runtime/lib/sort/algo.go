// SPDX-License-Identifier: MIT

package sort

// Introsort after Musser (1997): quicksort with a sampled pivot, insertion
// sort on short ranges, heapsort where the depth says that the pivots are
// bad; a run that turns out to be almost sorted is finished by insertion, as
// in Peters' pattern-defeating quicksort. Stable is insertion sort on blocks
// and in-place merging by rotation, after Kim and Kutzner's SymMerge (2004).

// shortRange is the length up to which insertion sort is used.
const shortRange = 12

// depthLimit is the depth of partitions from which on heapsort takes over.
func depthLimit(n int) int {
	d := 0
	for ; n > 0; n >>= 1 {
		d++
	}
	return d * 2
}

func insertionSort(data Interface, a, b int) {
	for i := a + 1; i < b; i++ {
		for j := i; j > a && data.Less(j, j-1); j-- {
			data.Swap(j, j-1)
		}
	}
}

// insertFew sorts [a, b) if that takes few insertions and reports whether it
// is sorted now.
func insertFew(data Interface, a, b int) bool {
	moved := 0
	for i := a + 1; i < b; i++ {
		for j := i; j > a && data.Less(j, j-1); j-- {
			data.Swap(j, j-1)
			moved++
		}
		if moved > 8 {
			return false
		}
	}
	return true
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
	for i := n/2 - 1; i >= 0; i-- {
		siftDown(data, i, n, a)
	}
	for i := n - 1; i > 0; i-- {
		data.Swap(a, a+i)
		siftDown(data, 0, i, a)
	}
}

// median returns which of i, j and k holds the middle element.
func median(data Interface, i, j, k int) int {
	if data.Less(j, i) {
		i, j = j, i
	}
	if data.Less(k, j) {
		if data.Less(k, i) {
			return i
		}
		return k
	}
	return j
}

// reverseRange turns [a, b) round.
func reverseRange(data Interface, a, b int) {
	for b--; a < b; a, b = a+1, b-1 {
		data.Swap(a, b)
	}
}

// descending reports whether [a, b) strictly decreases.
func descending(data Interface, a, b int) bool {
	for i := a + 1; i < b; i++ {
		if !data.Less(i, i-1) {
			return false
		}
	}
	return true
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
		if lo >= hi {
			return lo
		}
		data.Swap(lo, hi)
		lo++
		hi--
	}
}

func quickSort(data Interface, a, b, depth int) {
	balanced := true // the last partition was even
	for b-a > shortRange {
		if depth == 0 {
			heapSort(data, a, b)
			return
		}
		n := b - a
		m := a + n/2
		if n > 50 {
			s := n / 8
			m = median(data, median(data, a+s-1, a+s, a+s+1),
				median(data, m-1, m, m+1),
				median(data, b-s-1, b-s, b-s+1))
		} else {
			m = median(data, a+n/4, m, b-n/4)
		}
		if balanced && m == a+n/2 && data.Less(b-1, a) &&
			descending(data, a, b) {
			reverseRange(data, a, b)
			return
		}
		if a > 0 && !data.Less(a-1, m) {
			// Nothing here is below the pivot: what equals it is in place.
			a = skipEqual(data, a, b, m)
			continue
		}
		// Pivot to a; [a+1, lo) is smaller, [hi, b) is not.
		data.Swap(a, m)
		lo, hi := a+1, b-1
		for lo <= hi && data.Less(lo, a) {
			lo++
		}
		for lo <= hi && data.Less(a, hi) {
			hi--
		}
		swaps := 0
		for lo < hi {
			data.Swap(lo, hi)
			swaps++
			lo++
			hi--
			for lo <= hi && data.Less(lo, a) {
				lo++
			}
			for lo <= hi && data.Less(a, hi) {
				hi--
			}
		}
		// Both scans stop at elements equal to the pivot, so that many equal
		// elements divide evenly; where they meet on one it equals the pivot.
		p := hi
		data.Swap(a, p)
		left, right := p-a, b-p-1
		balanced = left >= n/8 && right >= n/8
		if !balanced {
			depth--
		} else if swaps == 0 && insertFew(data, a, p) &&
			insertFew(data, p+1, b) {
			return
		}
		if left < right {
			quickSort(data, a, p, depth)
			a = p + 1
		} else {
			quickSort(data, p+1, b, depth)
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

// symMerge merges the sorted [a, m) and [m, b) in place: it cuts both so
// that the parts outside the middle of [a, b) change sides by one rotation,
// and merges the halves.
func symMerge(data Interface, a, m, b int) {
	if a >= m || m >= b || !data.Less(m, m-1) {
		return
	}
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
	symMerge(data, a, lo, mid)
	symMerge(data, mid, end, b)
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
