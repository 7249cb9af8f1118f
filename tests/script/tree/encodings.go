// run
// tree

// Packages encoding/... that come from a tree of Go's sources.
package main

import (
	"encoding/ascii85"
	"encoding/asn1"
	"encoding/base32"
	"encoding/csv"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
)

func main() {
	r := csv.NewReader(strings.NewReader("a,b\n\"x,1\",\"line\nbreak\"\n"))
	rows, err := r.ReadAll()
	fmt.Printf("%q %v\n", rows, err)
	_, err = csv.NewReader(strings.NewReader("a,\"b\nc")).Read()
	fmt.Println(err)
	w := csv.NewWriter(os.Stdout)
	w.Write([]string{"a b", `c"d`, ""})
	w.Flush()

	s := base32.StdEncoding.EncodeToString([]byte("vole runs"))
	back, err := base32.StdEncoding.DecodeString(s)
	fmt.Println(s, string(back), err)
	_, err = base32.HexEncoding.DecodeString("!")
	fmt.Println(err)

	buf := make([]byte, ascii85.MaxEncodedLen(9))
	n := ascii85.Encode(buf, []byte("vole runs"))
	fmt.Println(string(buf[:n]))

	block := &pem.Block{Type: "NOTE", Headers: map[string]string{"Of": "x"},
		Bytes: []byte("some bytes that are long enough for two lines of text")}
	text := pem.EncodeToMemory(block)
	fmt.Print(string(text))
	p, rest := pem.Decode(text)
	fmt.Println(p.Type, p.Headers, string(p.Bytes), len(rest))

	type pair struct {
		N int
		S string `asn1:"utf8"`
		L []int
	}
	der, err := asn1.Marshal(pair{7, "seven", []int{1, 2, 300}})
	fmt.Printf("%x %v\n", der, err)
	var q pair
	rest, err = asn1.Unmarshal(der, &q)
	fmt.Println(q, len(rest), err)
}
