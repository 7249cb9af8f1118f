// run
// SPDX-License-Identifier: MIT

// Pointers to variables, fields, elements; escaping locals; linked data.
package main

import "fmt"

type Node struct {
	val         int
	left, right *Node
	parent      **Node
}

func newInt(n int) *int { return &n }

func swap(a, b *int) { *a, *b = *b, *a }

func escape() (*int, func() int) {
	x := 1
	return &x, func() int { x *= 2; return x }
}

func fields() (*string, *[3]int, *int) {
	s := struct {
		name string
		arr  [3]int
	}{"n", [3]int{1, 2, 3}}
	return &s.name, &s.arr, &s.arr[1]
}

type List struct {
	head *elem
	tail **elem
}
type elem struct {
	v    int
	next *elem
}

func (l *List) add(v int) {
	if l.tail == nil {
		l.tail = &l.head
	}
	*l.tail = &elem{v: v}
	l.tail = &(*l.tail).next
}

func (l *List) remove(v int) {
	for p := &l.head; *p != nil; p = &(*p).next {
		if (*p).v == v {
			*p = (*p).next
			return
		}
	}
}

func paramEscape(a int, b [2]int) (*int, *[2]int) { return &a, &b }

func named() (p *int, n int) {
	p = &n
	defer func() { *p += 5 }()
	n = 10
	return p, n + 1
}

var global = 5
var gp = &global

func main() {
	a, b := 1, 2
	swap(&a, &b)
	fmt.Println(a, b, *newInt(7))
	p, f := escape()
	f()
	*p += 10
	fmt.Println(f(), *p)
	n, arr, e := fields()
	*n += "!"
	*e = 20
	fmt.Println(*n, *arr, arr[1], len(arr))
	pp := &p
	**pp = 3
	fmt.Println(*p, p == *pp, pp == &p, p != nil)
	var l List
	for i := 0; i < 5; i++ {
		l.add(i)
	}
	l.remove(0)
	l.remove(3)
	for x := l.head; x != nil; x = x.next {
		fmt.Print(x.v, " ")
	}
	fmt.Println()
	pa, pb := paramEscape(4, [2]int{5, 6})
	pb[0]++
	fmt.Println(*pa, *pb)
	q, r := named()
	fmt.Println(*q, r)
	*gp++
	fmt.Println(global, gp == &global)
	s := []int{1, 2, 3}
	ps := &s
	*ps = append(*ps, 4)
	(*ps)[0] = 100
	el := &s[1]
	*el = 200
	fmt.Println(s, len(*ps))
	m := map[string]int{"k": 1}
	pm := &m
	(*pm)["j"] = 2
	fmt.Println(len(m))
	root := &Node{val: 1}
	root.left = &Node{val: 2, parent: &root}
	(*root.left.parent).val = 10
	root.right = root
	fmt.Println(root.val, root.right.right.left.val)
	st := struct{ x, y int }{1, 2}
	px, py := &st.x, &st.y
	*px, *py = *py, *px
	fmt.Println(st, px == &st.x, px == py)
	type E struct{}
	fmt.Println(&E{} != nil, *&a, *(&b))
	iface := interface{}(&a)
	*(iface.(*int)) = 55
	fmt.Println(a)
	fn := func() {}
	pf := &fn
	(*pf)()
	ptrs := make([]*int, 0)
	for i := range 5 {
		ptrs = append(ptrs, &i)
	}
	sum := 0
	for _, p := range ptrs {
		sum += *p
	}
	fmt.Println(sum)
	var np *Node
	func() {
		defer func() { fmt.Println(recover()) }()
		np.val = 1
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var nip *int
		*nip++
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var npp **int
		fmt.Println(**npp)
	}()
	lit := &[]int{1, 2}
	mlit := &map[string]int{"z": 26}
	alit := &[2]string{"p", "q"}
	fmt.Println((*lit)[1], (*mlit)["z"], alit[0], alit[1:])
	for i, v := range alit {
		fmt.Print(i, v, " ")
	}
	fmt.Println()
	x := new([4]Node)
	x[2].val = 9
	y := &x[2]
	y.left = &x[0]
	y.left.val = 8
	fmt.Println(x[0].val, x[2].val, (*x)[2].left == &x[0])
}
