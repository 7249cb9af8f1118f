// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"fmt"
	"strings"
	"text/template"
)

const page = `<h1>{{.Title}}</h1>
{{range $i, $r := .Rows}}{{if $r.Shown}}<li class="{{$r.Kind | upper}}">
{{- $r.Name | printf "%-8s|"}} {{len $r.Values}}{{with $r.Values}} {{index . 0}}{{end}}</li>
{{else}}<!-- {{$i}} -->
{{end}}{{end}}`

type row struct {
	Name, Kind string
	Values     []int
	Shown      bool
}

// Fills a text template, many times.
func main() {
	t := template.Must(template.New("page").Funcs(template.FuncMap{
		"upper": strings.ToUpper}).Parse(page))
	var rows []row
	for i := range 200 {
		rows = append(rows, row{fmt.Sprint("row", i), "k" + fmt.Sprint(i%7),
			make([]int, i%4), i%5 != 0})
	}
	size := 0
	var out bytes.Buffer
	for range 200 {
		out.Reset()
		if err := t.Execute(&out, map[string]any{"Title": "rows",
			"Rows": rows}); err != nil {
			fmt.Println(err)
			return
		}
		size += out.Len()
	}
	fmt.Println(size)
}
