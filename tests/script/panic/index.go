// panic
// SPDX-License-Identifier: MIT

package main

type table struct{ rows [][]int }

func (t *table) at(i, j int) int {
	return t.rows[i][j]
}

func sum(t *table) (s int) {
	for i := 0; i < 3; i++ {
		s += t.at(i, i)
	}
	return
}

func main() {
	t := &table{[][]int{{1, 2}, {3, 4}, {5, 6}}}
	println(sum(t))
}
