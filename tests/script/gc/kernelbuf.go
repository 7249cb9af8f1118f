// run

// Memory that natives fill, or look at, and do not keep: it is the function's
// own.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc64"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func show(name string, f func()) {
	fmt.Println(name, testing.AllocsPerRun(50, f))
}

// In frames that are deeper and deeper, while others make garbage.
func sum(f *os.File, depth int) (total int) {
	var b [100]byte
	n, err := f.ReadAt(b[:], int64(depth))
	if err != nil {
		panic(err)
	}
	if depth > 0 {
		total = sum(f, depth-1)
	}
	for i, c := range b[:n] {
		total += i * int(c)
	}
	return total
}

func main() {
	dir, err := os.MkdirTemp("", "kernelbuf")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "file")
	text := bytes.Repeat([]byte("0123456789abcdef"), 1000)
	if err := os.WriteFile(name, text, 0o600); err != nil {
		panic(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	defer f.Close()

	var seen, of int
	show("read", func() {
		var b [64]byte
		n, _ := f.Read(b[:])
		seen += n
		of += bytes.Count(b[:], []byte("789"))
	})
	fmt.Println(seen, of)
	show("read at", func() {
		var b [64]byte
		n, _ := f.ReadAt(b[:], 3)
		if n != 64 || string(b[:4]) != "3456" {
			panic(string(b[:]))
		}
	})
	show("write at", func() {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], 0x6867666564636261)
		f.WriteAt(b[:], 1)
	})
	show("write", func() {
		var b [8]byte
		copy(b[:], "goodbye.")
		f.Write(b[:])
	})
	start := make([]byte, 12)
	f.ReadAt(start, 0)
	fmt.Printf("%s\n", start)

	show("memory", func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.Mallocs < m.Frees {
			panic("more freed than made")
		}
	})
	show("callers", func() {
		var pcs [4]uintptr
		if runtime.Callers(0, pcs[:]) != 4 {
			panic("too few callers")
		}
	})
	table := crc64.MakeTable(crc64.ISO)
	show("hashes", func() {
		var b [64]byte
		copy(b[:], "vole")
		if adler32.Checksum(b[:]) != 1800012215 ||
			crc64.Checksum(b[:], table) != 15635716036072242307 {
			fmt.Println(adler32.Checksum(b[:]), crc64.Checksum(b[:], table))
		}
	})

	done := make(chan int)
	for i := 0; i < 4; i++ {
		go func() {
			var keep []byte
			for range 300 {
				keep = append(keep[:len(keep)/2], make([]byte, 1000)...)
			}
			done <- sum(f, 200)
		}()
	}
	runtime.GC()
	first := <-done
	for i := 1; i < 4; i++ {
		fmt.Println(<-done == first, first > 0)
	}
}
