// SPDX-License-Identifier: MIT

// Made from algo.go by mkfunc.py.

package sort

func insertionSort_func(data *lessSwap, a, b int) {
	for i := a + 1; i < b; i++ {
		for j := i; j > a && data.Less(j, j-1); j-- {
			swap(data.data, data.elem, j, j-1)
		}
	}
}

// insertFew_func sorts [a, b) if that takes few insertions and reports whether it
// is sorted now.
func insertFew_func(data *lessSwap, a, b int) bool {
	moved := 0
	for i := a + 1; i < b; i++ {
		for j := i; j > a && data.Less(j, j-1); j-- {
			swap(data.data, data.elem, j, j-1)
			moved++
		}
		if moved > 8 {
			return false
		}
	}
	return true
}

func siftDown_func(data *lessSwap, root, n, base int) {
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
		swap(data.data, data.elem, base+root, base+child)
		root = child
	}
}

func heapSort_func(data *lessSwap, a, b int) {
	n := b - a
	for i := n/2 - 1; i >= 0; i-- {
		siftDown_func(data, i, n, a)
	}
	for i := n - 1; i > 0; i-- {
		swap(data.data, data.elem, a, a+i)
		siftDown_func(data, 0, i, a)
	}
}

// median_func returns which of i, j and k holds the middle element.
func median_func(data *lessSwap, i, j, k int) int {
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

// reverseRange_func turns [a, b) round.
func reverseRange_func(data *lessSwap, a, b int) {
	for b--; a < b; a, b = a+1, b-1 {
		swap(data.data, data.elem, a, b)
	}
}

// descending_func reports whether [a, b) strictly decreases.
func descending_func(data *lessSwap, a, b int) bool {
	for i := a + 1; i < b; i++ {
		if !data.Less(i, i-1) {
			return false
		}
	}
	return true
}

// skipEqual_func moves what equals element m, a least one of [a, b), to the front
// and returns where the rest begins.
func skipEqual_func(data *lessSwap, a, b, m int) int {
	swap(data.data, data.elem, a, m)
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
		swap(data.data, data.elem, lo, hi)
		lo++
		hi--
	}
}

func quickSort_func(data *lessSwap, a, b, depth int) {
	balanced := true // the last partition was even
	for b-a > shortRange {
		if depth == 0 {
			heapSort_func(data, a, b)
			return
		}
		n := b - a
		m := a + n/2
		if n > 50 {
			s := n / 8
			m = median_func(data, median_func(data, a+s-1, a+s, a+s+1),
				median_func(data, m-1, m, m+1),
				median_func(data, b-s-1, b-s, b-s+1))
		} else {
			m = median_func(data, a+n/4, m, b-n/4)
		}
		if balanced && m == a+n/2 && data.Less(b-1, a) &&
			descending_func(data, a, b) {
			reverseRange_func(data, a, b)
			return
		}
		if a > 0 && !data.Less(a-1, m) {
			// Nothing here is below the pivot: what equals it is in place.
			a = skipEqual_func(data, a, b, m)
			continue
		}
		// Pivot to a; [a+1, lo) is smaller, [hi, b) is not.
		swap(data.data, data.elem, a, m)
		lo, hi := a+1, b-1
		for lo <= hi && data.Less(lo, a) {
			lo++
		}
		for lo <= hi && data.Less(a, hi) {
			hi--
		}
		swaps := 0
		for lo < hi {
			swap(data.data, data.elem, lo, hi)
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
		swap(data.data, data.elem, a, p)
		left, right := p-a, b-p-1
		balanced = left >= n/8 && right >= n/8
		if !balanced {
			depth--
		} else if swaps == 0 && insertFew_func(data, a, p) &&
			insertFew_func(data, p+1, b) {
			return
		}
		if left < right {
			quickSort_func(data, a, p, depth)
			a = p + 1
		} else {
			quickSort_func(data, p+1, b, depth)
			b = p
		}
	}
	insertionSort_func(data, a, b)
}

func stable_func(data *lessSwap, n int) {
	const block = 20
	for a := 0; a < n; a += block {
		insertionSort_func(data, a, min(a+block, n))
	}
	for size := block; size < n; size *= 2 {
		for a := 0; a+size < n; a += 2 * size {
			symMerge_func(data, a, a+size, min(a+2*size, n))
		}
	}
}

// symMerge_func merges the sorted [a, m) and [m, b) in place: it cuts both so
// that the parts outside the middle of [a, b) change sides by one rotation,
// and merges the halves.
func symMerge_func(data *lessSwap, a, m, b int) {
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
			swap(data.data, data.elem, i, i+1)
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
			swap(data.data, data.elem, i, i-1)
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
		rotate_func(data, lo, m, end)
	}
	symMerge_func(data, a, lo, mid)
	symMerge_func(data, mid, end, b)
}

// rotate_func exchanges the neighbours [a, m) and [m, b).
func rotate_func(data *lessSwap, a, m, b int) {
	i, j := m-a, b-m
	for i != j {
		if i > j {
			swapRange_func(data, m-i, m, j)
			i -= j
		} else {
			swapRange_func(data, m-i, m+j-i, i)
			j -= i
		}
	}
	swapRange_func(data, m-i, m, i)
}

func swapRange_func(data *lessSwap, a, b, n int) {
	for i := 0; i < n; i++ {
		swap(data.data, data.elem, a+i, b+i)
	}
}
