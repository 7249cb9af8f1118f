// run
// SPDX-License-Identifier: MIT

// Package crypto/rsa: signatures with keys of several lengths, of which some
// have loops of their own in Go's bigmod.
package main

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"fmt"
	"math/big"
)

// Pairs of primes, in digits of base 62.
var primes = []string{
	"LjnCFDqUOKWq97cKMPxIqLM1K2KMn7XtZmz9k7w9apwVj7yil4AqaBTTQLR02IvYG9aBp9uUN6PjePwiDrsiqH",
	"JTVbCHGOpMV6MUdVzZnR4u6K8vzYjie8YLRYo2ARUuMz9aNZao3RylMREyZQ6hBW5xngIFsJSnDg4Ub4HzZKE3",
	"SsiTFNrqnfuDSi5W9fJSxLw7s9z4AmJOnEPLYmzpPuZ4AdHDAohJoNrAr3bzrYOqp93UeFZdIuPNnySjTncQDxJwZ8" +
		"DL9TT1AeIC2LnIm4AXRyQ8ADtK9Mf5pscAQwfuF",
	"V82yBaGtcwWX6kIS0SusEgDoLUWg573cQPaX1ZXdE3TJqIxrDKxfwPN0NliWvInGRdIdSzKDonnAn2lJKJms1hF2EL" +
		"dzkfpRvoRA5xaBARFSMmRPNryq4cx5YiRQMDR8X",
	"RM4OaIYbBHDIvt2pZqDCpqGG95bBrFgEUdMC3s9EIMah6X57tpNEm6uw8c12jxlOn5upu4cUOBGoWxjr74EWYeJKUW" +
		"cwv0FJmGLOVqnUelqTiO9t6zzGJocYYkioMWg7gpK6LJOjhKFDSXLnphNZca7I9kmjDKbUaaXeJYYe5Sex",
	"SkBTvAuQ4176TdADVonz0pLfiuzZvyaksLDk70X4eK3nfP6zDMPINq4XjAVXvs7BdPDSHIzGEzpmhIfT1LB6eTjru9" +
		"L4uYofL56Kmyivmf2ca3A8lznnp9hKLym9mLmXBsNBCqGHLCXFMcL3kYDG75oYrWNtSw2KiizZI1zLk6xz",
	"eb36vbq7OmM1cxoisu48xxdI1IYZgmmebToT4ItCL40eOaeDfyJ5LqZ0zZnakUSvIMECafOQnl0r29wcTDlAPanBoT" +
		"nGVeUtaZ7hqakFIb6qzaBX5cUN85D9USZ28AeL3BTMlue6BHMdtuErbzlsFopkQxj5XwRxqTyJdOAuVrUkR9d",
	"cAzMJ5KyNLhpQ61PEBSzHwNF5YA5irhJMwKkhd4yJVWN1Fp7ZwrarwKbhX2jX2RMOkayZKgrznlQE5mByjorItL4gz" +
		"lq6GzG3UvXpATOayxYcGUObMJEJeERJK6lrEnhrWJf7ylzwMYSfjshBwJbTp2EkoKOU7DsQUbsJqbM1OiiKTb",
}

func main() {
	sum := sha256.Sum256([]byte("what is signed"))
	for i := 0; i < len(primes); i += 2 {
		p, _ := new(big.Int).SetString(primes[i], 62)
		q, _ := new(big.Int).SetString(primes[i+1], 62)
		one := big.NewInt(1)
		phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
		key := &rsa.PrivateKey{
			PublicKey: rsa.PublicKey{N: new(big.Int).Mul(p, q), E: 65537},
			D:         new(big.Int).ModInverse(big.NewInt(65537), phi),
			Primes:    []*big.Int{p, q},
		}
		fmt.Println(key.N.BitLen(), key.Validate())
		key.Precompute()
		sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
		fmt.Printf("%x %v\n", sha256.Sum256(sig), err)
		fmt.Println(rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, sum[:], sig))
		sig[5]++
		fmt.Println(rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, sum[:], sig))
	}
}
