// run
// SPDX-License-Identifier: MIT

// Packages container/heap, container/list and container/ring.
package main

import (
	"container/heap"
	"container/list"
	"container/ring"
	"fmt"
)

type item struct {
	val   string
	prio  int
	index int
}
type pq []*item

func (q pq) Len() int            { return len(q) }
func (q pq) Less(i, j int) bool  { return q[i].prio > q[j].prio }
func (q pq) Swap(i, j int)       { q[i], q[j] = q[j], q[i]; q[i].index = i; q[j].index = j }
func (q *pq) Push(x interface{}) { it := x.(*item); it.index = len(*q); *q = append(*q, it) }
func (q *pq) Pop() interface{} {
	old := *q
	it := old[len(old)-1]
	*q = old[:len(old)-1]
	it.index = -1
	return it
}

type ints []int

func (h ints) Len() int            { return len(h) }
func (h ints) Less(i, j int) bool  { return h[i] < h[j] }
func (h ints) Swap(i, j int)       { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x interface{}) { *h = append(*h, x.(int)) }
func (h *ints) Pop() interface{} {
	o := *h
	x := o[len(o)-1]
	*h = o[:len(o)-1]
	return x
}

func show(l *list.List) {
	for e := l.Front(); e != nil; e = e.Next() {
		fmt.Print(e.Value, " ")
	}
	fmt.Println("len", l.Len())
}

func dijkstra(g map[string]map[string]int, from string) map[string]int {
	dist := map[string]int{}
	q := pq{{val: from}}
	for q.Len() > 0 {
		it := heap.Pop(&q).(*item)
		if _, ok := dist[it.val]; ok {
			continue
		}
		dist[it.val] = -it.prio
		for n, w := range g[it.val] {
			heap.Push(&q, &item{val: n, prio: it.prio - w})
		}
	}
	return dist
}

func main() {
	h := ints{5, 2, 8, 9, 1}
	heap.Init(&h)
	heap.Push(&h, 3)
	h[0] = 20
	heap.Fix(&h, 0)
	heap.Remove(&h, 2)
	for h.Len() > 0 {
		fmt.Print(heap.Pop(&h), " ")
	}
	fmt.Println()
	var q pq
	items := map[string]*item{}
	for v, p := range map[string]int{"banana": 3, "apple": 2, "pear": 4} {
		it := &item{val: v, prio: p}
		items[v] = it
		heap.Push(&q, it)
	}
	items["apple"].prio = 10
	heap.Fix(&q, items["apple"].index)
	for q.Len() > 0 {
		it := heap.Pop(&q).(*item)
		fmt.Print(it.prio, ":", it.val, " ")
	}
	fmt.Println()
	fmt.Println(dijkstra(map[string]map[string]int{
		"a": {"b": 7, "c": 9, "f": 14}, "b": {"c": 10, "d": 15},
		"c": {"d": 11, "f": 2}, "d": {"e": 6}, "f": {"e": 9},
	}, "a"))
	l := list.New()
	e4 := l.PushBack(4)
	e1 := l.PushFront(1)
	l.InsertBefore(3, e4)
	l.InsertAfter(2, e1)
	show(l)
	l.MoveToFront(e4)
	l.MoveToBack(e1)
	show(l)
	fmt.Println(l.Remove(e4), l.Front().Value, l.Back().Value, e4.Next() == nil, l.Back().Prev().Value)
	l2 := list.New()
	l2.PushBack("x")
	l.PushBackList(l2)
	l.PushFrontList(l)
	show(l)
	l.Init()
	show(l)
	r := ring.New(5)
	for i := 0; i < r.Len(); i++ {
		r.Value = i
		r = r.Next()
	}
	r.Do(func(v interface{}) { fmt.Print(v, " ") })
	removed := r.Unlink(2)
	fmt.Println(r.Len(), removed.Len(), r.Move(2).Value, r.Prev().Value)
	r.Link(removed).Do(func(v interface{}) { fmt.Print(v, " ") })
	fmt.Println()
	r.Do(func(v interface{}) { fmt.Print(v, " ") })
	fmt.Println()
}
