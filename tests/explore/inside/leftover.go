// status: 0
// says: made 3
// needs: crypto/rand
// leaves: a folder and two files
// What runs by the same seed draws the same names; where such files are there
// already, other names do, and nothing else differs.
package main

import (
	"crypto/rand"
	"fmt"
	"os"
)

func main() {
	made := 0
	if _, err := os.MkdirTemp("", "left"); err != nil {
		panic(err)
	}
	made++
	for range 2 {
		f, err := os.CreateTemp("", "left*.txt")
		if err != nil {
			panic(err)
		}
		f.Close()
		made++
	}
	fmt.Println("made", made)
	b := make([]byte, 8)
	rand.Read(b)
	fmt.Println(b)
}
