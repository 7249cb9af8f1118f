// run
// tree

// Compression and archives from a tree of Go's sources.
package main

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/lzw"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

func main() {
	text := strings.Repeat("the quick brown vole digs under the lazy fox. ", 200)
	var b bytes.Buffer
	zw, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	zw.Name = "text"
	io.WriteString(zw, text)
	zw.Close()
	zr, err := gzip.NewReader(bytes.NewReader(b.Bytes()))
	back, err2 := io.ReadAll(zr)
	fmt.Println(b.Len() < 300, zr.Name, string(back) == text, err, err2)

	b.Reset()
	fw, _ := flate.NewWriter(&b, 1)
	io.WriteString(fw, text)
	fw.Close()
	back, err = io.ReadAll(flate.NewReader(&b))
	fmt.Println(string(back) == text, err)

	b.Reset()
	w := zlib.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	damaged := append([]byte(nil), b.Bytes()...)
	damaged[len(damaged)-1] ^= 1
	r, _ := zlib.NewReader(bytes.NewReader(damaged))
	_, err = io.ReadAll(r)
	fmt.Println(err)

	b.Reset()
	lw := lzw.NewWriter(&b, lzw.LSB, 8)
	io.WriteString(lw, text)
	lw.Close()
	back, err = io.ReadAll(lzw.NewReader(&b, lzw.LSB, 8))
	fmt.Println(string(back) == text, err)

	bz, _ := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWcaGG44AACCZgEAEAAgGpZsAIAAxAAAG9VRkYm0l47Wbi7MZYfRTkeqU4tH4u5IpwoSGNDDccA==")
	back, err = io.ReadAll(bzip2.NewReader(bytes.NewReader(bz)))
	fmt.Printf("%q %v\n", back, err)

	b.Reset()
	ar := zip.NewWriter(&b)
	for _, name := range []string{"a.txt", "dir/b.txt"} {
		e, _ := ar.Create(name)
		io.WriteString(e, "contents of "+name)
	}
	ar.Close()
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	fmt.Println(err)
	for _, f := range z.File {
		e, _ := f.Open()
		data, _ := io.ReadAll(e)
		fmt.Println(f.Name, string(data), f.UncompressedSize64)
	}
}
