// run
// tree

// Ciphers, hashes and signatures from a tree of Go's sources: the forms that
// need no assembly.
package main

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"fmt"
	"hash/maphash"
	"strings"
)

func main() {
	text := []byte(strings.Repeat("vole", 33))
	fmt.Printf("%x\n%x\n%x\n%x\n", md5.Sum(text), sha1.Sum(text), sha256.Sum256(text), sha512.Sum512(text))
	m := hmac.New(sha256.New, []byte("key"))
	m.Write(text)
	fmt.Printf("%x %v\n", m.Sum(nil), hmac.Equal(m.Sum(nil), m.Sum(nil)))
	h := crypto.SHA512.New()
	h.Write(text)
	fmt.Println(h.Size(), crypto.SHA1.Available(), crypto.SHA256, crypto.BLAKE2b_256.Available())

	block, err := aes.NewCipher([]byte("0123456789abcdef"))
	fmt.Println(block.BlockSize(), err)
	gcm, _ := cipher.NewGCM(block)
	sealed := gcm.Seal(nil, make([]byte, 12), text, []byte("more"))
	opened, err := gcm.Open(nil, make([]byte, 12), sealed, []byte("more"))
	fmt.Printf("%x %v %v\n", sealed[:16], bytes.Equal(opened, text), err)
	sealed[0] ^= 1
	_, err = gcm.Open(nil, make([]byte, 12), sealed, []byte("more"))
	fmt.Println(err)
	ctr := make([]byte, len(text))
	cipher.NewCTR(block, make([]byte, 16)).XORKeyStream(ctr, text)
	fmt.Printf("%x\n", ctr[:16])
	d, _ := des.NewTripleDESCipher([]byte("0123456789abcdef01234567"))
	d.Encrypt(ctr, text)
	fmt.Printf("%x\n", ctr[:8])
	_, err = aes.NewCipher([]byte("short"))
	fmt.Println(err)
	r, _ := rc4.NewCipher([]byte("Key"))
	r.XORKeyStream(ctr, []byte("Plaintext"))
	fmt.Printf("%x\n", ctr[:9])

	priv := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	sig := ed25519.Sign(priv, text)
	fmt.Printf("%x %v %v\n", sig[:8], ed25519.Verify(priv.Public().(ed25519.PublicKey), text, sig),
		ed25519.Verify(priv.Public().(ed25519.PublicKey), text[1:], sig))
	fmt.Println(subtle.ConstantTimeCompare(text, text))

	var mh maphash.Hash
	mh.WriteString("vole")
	one := mh.Sum64()
	mh.Reset()
	mh.WriteString("vole")
	fmt.Println(one == mh.Sum64())
}
