// SPDX-License-Identifier: MIT

// Package accesses_test is run by run_go_race_tests.py: each function's name
// says whether what its two goroutines do is a race. It is about the
// instructions that are more than a load or a store, and about natives.
package accesses_test

import (
	"bytes"
	"hash/crc32"
	"iter"
	"math/big"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
)

// both runs f and g, with nothing between them that orders them but that both
// begin after what came before, and end before what comes after.
func both(f, g func()) {
	done := make(chan bool)
	go func() {
		f()
		done <- true
	}()
	g()
	<-done
}

type wide struct{ a, b, c, d, e int }

var global wide
var word int
var text string

func TestRaceStructCopy(t *testing.T) {
	p, q := new(wide), new(wide)
	both(func() { *p = *q }, func() { q.e = 1 })
}

func TestNoRaceStructFields(t *testing.T) {
	p := new(wide)
	both(func() { p.a = 1 }, func() { p.b = 2 })
}

func TestRaceGlobalStruct(t *testing.T) {
	both(func() { global = wide{1, 2, 3, 4, 5} }, func() { word = global.d })
}

func TestRaceBytesOfAWord(t *testing.T) {
	b := make([]byte, 8)
	both(func() { b[3] = 1 }, func() { b[3]++ })
}

func TestNoRaceBytesOfAWord(t *testing.T) {
	b := make([]byte, 8)
	both(func() { b[3] = 1 }, func() { b[4] = 2 })
}

func TestRaceArrayClear(t *testing.T) {
	p := new([100]int)
	both(func() { *p = [100]int{} }, func() { p[99] = 1 })
}

func TestRaceBoxFromMemory(t *testing.T) {
	p := new(wide)
	var x any
	both(func() { x = *p }, func() { p.c = 1 })
	_ = x
}

func TestRaceCompareMemory(t *testing.T) {
	p, q := new(wide), new(wide)
	both(func() { word = map[bool]int{true: 1}[*p == *q] }, func() { q.e = 1 })
}

func TestRaceAppendInPlace(t *testing.T) {
	s := make([]int, 1, 4)
	r := s[:4]
	both(func() { _ = append(s, 7) }, func() { r[1] = 2 })
}

func TestNoRaceAppendInPlace(t *testing.T) {
	s := make([]int, 1, 4)
	both(func() { _ = append(s, 7) }, func() { s[0] = 2 })
}

func TestRaceAppendGrows(t *testing.T) {
	s := make([]int, 1)
	both(func() { _ = append(s, 7) }, func() { s[0] = 2 })
}

func TestRaceAppendSlice(t *testing.T) {
	s, more := make([]string, 0, 9), make([]string, 3)
	both(func() { _ = append(s, more...) }, func() { more[2] = "x" })
}

func TestRaceCopy(t *testing.T) {
	s, r := make([]int, 5), make([]int, 3)
	both(func() { copy(s, r) }, func() { s[2] = 1 })
}

func TestNoRaceCopy(t *testing.T) {
	s, r := make([]int, 5), make([]int, 3)
	both(func() { copy(s, r) }, func() { s[3] = 1 })
}

func TestNoRaceCopyToLess(t *testing.T) {
	s, r := make([]int, 3), make([]int, 5)
	both(func() { copy(s, r) }, func() { r[4] = 1 })
}

func TestRaceClearSlice(t *testing.T) {
	s := make([]int, 5)
	both(func() { clear(s) }, func() { s[4] = 1 })
}

func TestRaceStringOfBytes(t *testing.T) {
	b := []byte("a text of some bytes")
	both(func() { text = string(b) }, func() { b[9] = 'x' })
}

func TestRaceStringOfRunes(t *testing.T) {
	r := []rune("a text of some runes")
	both(func() { text = string(r) }, func() { r[9] = 'x' })
}

func TestRaceMapGetSet(t *testing.T) {
	m := map[int]int{1: 1}
	both(func() { word = m[1] }, func() { m[2] = 2 })
}

func TestRaceMapLenDelete(t *testing.T) {
	m := map[int]int{1: 1}
	both(func() { word = len(m) }, func() { delete(m, 1) })
}

func TestRaceMapRangeClear(t *testing.T) {
	m := map[int]int{1: 1}
	both(func() {
		for range m {
			word++
		}
	}, func() { clear(m) })
}

func TestNoRaceMapReaders(t *testing.T) {
	m := map[int]int{1: 1}
	both(func() { _ = m[1] }, func() {
		for range m {
		}
	})
}

// Natives.

func TestRaceNativeReads(t *testing.T) {
	b := []byte("some bytes")
	both(func() { word = bytes.Count(b, []byte("s")) }, func() { b[0] = 'x' })
}

func TestNoRaceNativePrefix(t *testing.T) {
	b := []byte("some bytes")
	both(func() { _ = bytes.HasPrefix(b, []byte("some")) }, func() { b[4] = 'x' })
}

func TestRaceNativePrefix(t *testing.T) {
	b := []byte("some bytes")
	both(func() { _ = bytes.HasPrefix(b, []byte("some")) }, func() { b[3] = 'x' })
}

func TestNoRaceNativeSuffix(t *testing.T) {
	b := []byte("some bytes")
	both(func() { _ = bytes.HasSuffix(b, []byte("es")) }, func() { b[7] = 'x' })
}

func TestNoRaceNativeIndex(t *testing.T) {
	b := []byte("some bytes")
	both(func() { _ = bytes.IndexByte(b, 'm') }, func() { b[3] = 'x' })
}

func TestRaceNativeIndex(t *testing.T) {
	b := []byte("some bytes")
	both(func() { _ = bytes.IndexByte(b, 'm') }, func() { b[1] = 'x' })
}

func TestNoRaceNativeTrim(t *testing.T) {
	b := []byte("  some bytes ")
	both(func() { _ = bytes.TrimSpace(b) }, func() { b[5] = 'x' })
}

func TestRaceNativeTrim(t *testing.T) {
	b := []byte("  some bytes ")
	both(func() { _ = bytes.TrimSpace(b) }, func() { b[12] = '\n' })
}

func TestRaceNativeJoin(t *testing.T) {
	b := [][]byte{[]byte("some"), []byte("bytes")}
	both(func() { _ = bytes.Join(b, nil) }, func() { b[1][0] = 'x' })
}

func TestRaceNativeWrites(t *testing.T) {
	s := []int{3, 2, 1}
	both(func() { sort.Ints(s) }, func() { word = s[2] })
}

func TestRaceNativeAppends(t *testing.T) {
	b := make([]byte, 2, 20)
	r := b[:20]
	both(func() { _ = strconv.AppendInt(b, 12345, 10) }, func() { r[6] = 1 })
}

func TestNoRaceNativeAppends(t *testing.T) {
	b := make([]byte, 2, 20)
	r := b[:20]
	both(func() { _ = strconv.AppendInt(b, 12345, 10) }, func() { r[7] = 1 })
}

func TestRaceNativeStrings(t *testing.T) {
	s := []string{"a", "b"}
	both(func() { word = len(strings.Join(s, "")) }, func() { s[1] = "c" })
}

func TestRaceNativeRune(t *testing.T) {
	b := []byte("äbc")
	both(func() { _, word = utf8.DecodeRune(b) }, func() { b[1] = 0xa5 })
}

func TestNoRaceNativeRune(t *testing.T) {
	b := []byte("äbc")
	both(func() { _, word = utf8.DecodeRune(b) }, func() { b[2] = 'x' })
}

func TestRaceNativeChecksum(t *testing.T) {
	b := make([]byte, 100)
	both(func() { _ = crc32.ChecksumIEEE(b) }, func() { b[99] = 1 })
}

func TestRaceReflectSet(t *testing.T) {
	p := new(struct{ A, B, C int })
	both(func() { reflect.ValueOf(p).Elem().Field(2).SetInt(1) },
		func() { p.C = 2 })
}

func TestRaceReflectMap(t *testing.T) {
	m := map[string]int{}
	both(func() {
		reflect.ValueOf(m).SetMapIndex(reflect.ValueOf("a"), reflect.ValueOf(1))
	}, func() { m["b"] = 2 })
}

func TestRaceReflectSwap(t *testing.T) {
	s := []string{"a", "b", "c"}
	both(func() { reflect.Swapper(s)(0, 2) }, func() { s[2] = "x" })
}

func TestNoRaceReflectSwap(t *testing.T) {
	s := []string{"a", "b", "c"}
	both(func() { reflect.Swapper(s)(0, 2) }, func() { s[1] = "x" })
}

func TestRaceFileRead(t *testing.T) {
	r, w, _ := os.Pipe()
	w.Write([]byte("abc"))
	b := make([]byte, 10)
	both(func() { r.Read(b) }, func() { b[2] = 1 })
}

func TestNoRaceFileRead(t *testing.T) {
	r, w, _ := os.Pipe()
	w.Write([]byte("abc"))
	b := make([]byte, 10)
	both(func() { r.Read(b) }, func() { b[3] = 1 })
}

func TestNoRaceFileOrders(t *testing.T) {
	r, w, _ := os.Pipe()
	both(func() {
		word = 1
		w.Write([]byte("x"))
	}, func() {
		r.Read(make([]byte, 1))
		word = 2
	})
}

func TestRaceBigMul(t *testing.T) {
	x, y := big.NewInt(3), big.NewInt(4)
	x.Lsh(x, 200)
	bits := x.Bits()
	both(func() { new(big.Int).Mul(x, y) }, func() { bits[1] = 1 })
}

func TestNoRaceAtomicOrders(t *testing.T) {
	var ready atomic.Bool
	x := new(int)
	both(func() {
		*x = 1
		ready.Store(true)
	}, func() {
		for !ready.Load() {
		}
		*x = 2
	})
}

func TestRaceAtomicAndPlain(t *testing.T) {
	var n int32
	both(func() { atomic.AddInt32(&n, 1) }, func() { n++ })
}

func TestNoRaceAtomics(t *testing.T) {
	var n atomic.Int64
	both(func() { n.Add(1) }, func() { n.Store(2) })
}

// What a timer's channel gives comes after what came before the timer was set,
// but not after what came before somebody stopped it.
func TestRaceTimerStopped(t *testing.T) {
	p := new(int)
	tm := time.NewTimer(time.Hour)
	both(func() {
		*p = 1
		tm.Stop()
	}, func() {
		time.Sleep(5 * time.Millisecond)
		tm.Reset(1)
		select {
		case <-tm.C:
		case <-time.After(time.Second): // stopped only now
		}
		word = *p
	})
}

func TestNoRaceTimerSet(t *testing.T) {
	p := new(int)
	tm := time.NewTimer(time.Hour)
	both(func() {
		*p = 1
		tm.Reset(1)
	}, func() {
		<-tm.C
		word = *p
	})
}

func TestNoRacePull(t *testing.T) {
	x := 0
	next, stop := iter.Pull(func(yield func(int) bool) {
		for x < 10 && yield(x) {
			x++
		}
	})
	for v, ok := next(); ok; v, ok = next() {
		x += v / 8
	}
	stop()
	x++
}

func TestNoRaceSwapHandsOver(t *testing.T) {
	var box atomic.Pointer[wide]
	use := func() {
		for i := 0; i < 1000; i++ {
			p := box.Swap(nil)
			if p == nil {
				p = new(wide)
			}
			p.a++
			box.Store(p)
		}
	}
	both(use, use)
}

// Whoever receives because of a close comes after it.
func TestNoRaceClosed(t *testing.T) {
	c, x := make(chan int, 1), 0
	both(func() {
		x = 1
		close(c)
	}, func() {
		<-c
		x++
	})
}

// A send and a close that nothing orders, though both may come about.
func TestRaceSendAndClose(t *testing.T) {
	c := make(chan int, 1)
	both(func() {
		defer func() { recover() }()
		c <- 1
	}, func() { close(c) })
}

// What panics in between must not leave the goroutine without order.
func TestNoRaceNilOfSync(t *testing.T) {
	var mu sync.Mutex
	n := 0
	count := func() {
		mu.Lock()
		n++
		mu.Unlock()
	}
	both(func() {
		var pool *sync.Pool
		var rw *sync.RWMutex
		for _, f := range []func(){
			func() { pool.Get() },
			func() { pool.Put(1) },
			func() { rw.Lock() },
			func() { rw.TryLock() },
			func() { rw.Unlock() },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f()
			}()
			count()
		}
	}, count)
}
