// run
// tree

// Go's packages about Go's source, and index/suffixarray, net/url, html and
// mime beside them.
package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/parser"
	"go/token"
	"html"
	"index/suffixarray"
	"mime"
	"net/url"
	"sort"
	"text/scanner"
	"strings"
)

func main() {
	src := "package p\nfunc  f( a int,b string ) (int) {\nif a>1 {return a+ 1}\nreturn len(b) }\n"
	out, err := format.Source([]byte(src))
	fmt.Print(string(out), err, "\n")
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			fmt.Print(id.Name, "@", fset.Position(id.Pos()).Line, " ")
		}
		return true
	})
	fmt.Println(err)
	_, err = parser.ParseExpr("1 +")
	fmt.Println(err)
	fmt.Println(constant.BinaryOp(constant.MakeFromLiteral("1e3", token.FLOAT, 0), token.QUO, constant.MakeInt64(7)))

	fmt.Println(html.EscapeString("<a href='x'>&"), html.UnescapeString("&eacute;&#65;&lt;"))
	at := suffixarray.New([]byte("banana")).Lookup([]byte("an"), -1)
	sort.Ints(at)
	fmt.Println(at)
	u, err := url.Parse("http://u:p@host:80/a%20b?q=1&q=2&r=%2f#top")
	fmt.Println(u.Host, u.Path, u.Query()["q"], u.Query().Get("r"), u.Fragment, u.User, err)
	fmt.Println(mime.ParseMediaType(`text/html; charset="utf-8"; q=0.5`))
	var s scanner.Scanner
	s.Init(strings.NewReader("x := 0x1F + 'c' // end"))
	for t := s.Scan(); t != scanner.EOF; t = s.Scan() {
		fmt.Print(scanner.TokenString(t), "=", s.TokenText(), " ")
	}
	fmt.Println()
}
