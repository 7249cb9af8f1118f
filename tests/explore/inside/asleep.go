// status: 2
// says: all goroutines are asleep
// Nobody writes to the other end, which is the program's own.
package main

import "os"

func main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer w.Close()
	r.Read(make([]byte, 1))
}
