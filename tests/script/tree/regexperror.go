// run
// tree

// What package regexp does not take is an error of package regexp/syntax, also
// where regexp is vole's and regexp/syntax is the tree's.
package main

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
)

func main() {
	for _, s := range []string{"a{2000}", "a**", "(", `a\8`, "[z-a]"} {
		_, err := regexp.Compile(s)
		var e *syntax.Error
		fmt.Printf("%T %v\n", err, errors.As(err, &e))
		if e != nil {
			fmt.Println(e.Code, e.Expr, e.Code == syntax.ErrInvalidRepeatOp)
		}
		_, err = syntax.Parse(s, syntax.Perl)
		fmt.Printf("%T %v\n", err, err)
	}
}
