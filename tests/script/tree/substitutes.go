// run
// tree
// SPDX-License-Identifier: MIT

// Packages that vole has a form of its own of, and which are Go's where there
// is a tree: the names of their types tell.
package main

import (
	"container/heap"
	"container/list"
	"container/ring"
	"encoding"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"os"
	"text/tabwriter"
)

type ints []int

func (s ints) Len() int           { return len(s) }
func (s ints) Less(i, j int) bool { return s[i] < s[j] }
func (s ints) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *ints) Push(x any)        { *s = append(*s, x.(int)) }
func (s *ints) Pop() any {
	x := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return x
}

func main() {
	for _, h := range []hash.Hash{fnv.New32(), fnv.New64a(), fnv.New128(),
		crc32.NewIEEE(), crc64.New(crc64.MakeTable(crc64.ISO)), adler32.New()} {
		h.Write([]byte("vole"))
		_, saves := h.(encoding.BinaryMarshaler)
		fmt.Printf("%T %x %v\n", h, h.Sum(nil), saves)
	}
	fmt.Printf("%T %T %T\n", list.New(), ring.New(2), base64.StdEncoding)
	fmt.Printf("%T %T\n", hex.NewEncoder(os.Stdout), binary.BigEndian)

	s := &ints{5, 2, 8}
	heap.Init(s)
	heap.Push(s, 1)
	fmt.Println(heap.Pop(s), heap.Pop(s), *s)

	w := tabwriter.NewWriter(os.Stdout, 4, 8, 1, '.', tabwriter.AlignRight)
	fmt.Fprintf(w, "%T\tb\t\nlong cell\tx\t\n", w)
	w.Flush()
}
