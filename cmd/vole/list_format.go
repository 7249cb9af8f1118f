// SPDX-License-Identifier: MIT

// The program behind the flag -f of vole list: executes a template for each
// package or module of a stream of JSON objects.  Its arguments are what the
// objects are ("package" or "module"), the template, what {{context}} is, and
// the objects.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/template"
	"time"
)

// ModuleError is what is wrong with a module.
type ModuleError struct{ Err string }

// Module is a module as `go list -m -json` shows it.
type Module struct {
	Path       string
	Version    string
	Query      string
	Versions   []string
	Replace    *Module
	Time       *time.Time
	Update     *Module
	Main       bool
	Indirect   bool
	Dir        string
	GoMod      string
	GoVersion  string
	Retracted  []string
	Deprecated string
	Error      *ModuleError
	Sum        string
	GoModSum   string
	Origin     *struct{}
	Reuse      bool
}

// versions is the version and the newer one, with what is to be said of them.
func (m *Module) versions() string {
	if m.Version == "" {
		return ""
	}
	s := " " + m.Version
	if len(m.Retracted) > 0 {
		s += " (retracted)"
	}
	if m.Update != nil {
		s += " [" + m.Update.Version + "]"
	}
	return s
}

func (m *Module) String() string {
	s := m.Path + m.versions()
	if m.Replace != nil {
		s += " => " + m.Replace.Path + m.Replace.versions()
	}
	return s
}

// PackageError is what is wrong with a package.
type PackageError struct {
	ImportStack []string
	Pos         string
	Err         string
}

func (e *PackageError) Error() string {
	switch {
	case e.Pos != "":
		return e.Pos + ": " + e.Err
	case len(e.ImportStack) == 0:
		return e.Err
	}
	return "package " + strings.Join(e.ImportStack, "\n\timports ") + ": " + e.Err
}

// Package is a package as `go list -json` shows it.
type Package struct {
	Dir, ImportPath, ImportComment, Name, Doc, Target, Shlib, Root string
	ConflictDir, ForTest, Export, BuildID                          string
	Module                                                         *Module
	Match                                                          []string
	Goroot, Standard, DepOnly, BinaryOnly, Incomplete              bool
	DefaultGODEBUG                                                 string
	Stale                                                          bool
	StaleReason                                                    string

	GoFiles, CgoFiles, CompiledGoFiles, IgnoredGoFiles, InvalidGoFiles []string
	IgnoredOtherFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles        []string
	SFiles, SwigFiles, SwigCXXFiles, SysoFiles                         []string
	EmbedPatterns, EmbedFiles                                          []string
	CgoCFLAGS, CgoCPPFLAGS, CgoCXXFLAGS, CgoFFLAGS, CgoLDFLAGS         []string
	CgoPkgConfig                                                       []string

	Imports    []string
	ImportMap  map[string]string
	Deps       []string
	Error      *PackageError
	DepsErrors []*PackageError

	TestGoFiles, TestImports, TestEmbedPatterns, TestEmbedFiles     []string
	XTestGoFiles, XTestImports, XTestEmbedPatterns, XTestEmbedFiles []string
}

// Context is what the function context gives.
type Context struct {
	GOARCH, GOOS, GOROOT, GOPATH       string
	CgoEnabled, UseAllFiles            bool
	Compiler                           string
	BuildTags, ToolTags, ReleaseTags   []string
	InstallSuffix                      string
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// each executes the template for one object.  What it prints ends a line, if
// it prints anything.
func each(t *template.Template, x any, out *bytes.Buffer) {
	n := out.Len()
	err := t.Execute(out, x)
	if out.Len() > n && out.Bytes()[out.Len()-1] != '\n' {
		out.WriteByte('\n')
	}
	if err != nil {
		os.Stdout.Write(out.Bytes())
		fail(err)
	}
}

func main() {
	kind, format, context, objects := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	funcs := template.FuncMap{
		"join": strings.Join,
		"context": func() (*Context, error) {
			c := new(Context)
			err := json.Unmarshal([]byte(context), c)
			return c, err
		},
	}
	t, err := template.New("main").Funcs(funcs).Parse(format)
	if err != nil {
		fail(err)
	}
	out := new(bytes.Buffer)
	for d := json.NewDecoder(strings.NewReader(objects)); ; {
		var x any = new(Package)
		if kind == "module" {
			x = new(Module)
		}
		if err := d.Decode(x); err == io.EOF {
			break
		} else if err != nil {
			fail(err)
		}
		each(t, x, out)
	}
	if _, err := os.Stdout.Write(out.Bytes()); err != nil {
		fail(err)
	}
}
