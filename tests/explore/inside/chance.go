// needs: crypto/ecdsa
// status: 0
// says: ok true
// What the library asks the system for by chance is the seed's, too: keys are
// the same each time, and so is what is done by them.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
)

func main() {
	b := make([]byte, 13)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	s, err := ecdsa.SignASN1(rand.Reader, k, b)
	if err != nil {
		panic(err)
	}
	fmt.Println(b, k.X, s)
	fmt.Println("ok", ecdsa.VerifyASN1(&k.PublicKey, b, s))
}
