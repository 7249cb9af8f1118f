// errorcheck
// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"
	m "math"
	"os"
)

var d errors // ERROR "errors \(package name\) is not a type"
var e []fmt // ERROR "fmt \(package name\) is not a type"
var f = m // ERROR "use of package m not in selector"
var g map[string]os = nil // ERROR "os \(package name\) is not a type"

func h(fmt) {} // ERROR "fmt \(package name\) is not a type"
func main() { var x errors.T; _ = x; fmt = 1; _ = fmt + 1; m(); os.Zip(); type q m } // ERROR "undefined: errors\.T" "use of package fmt not in selector" "use of package m not in selector" "undefined: os\.Zip" "m \(package name\) is not a type"
