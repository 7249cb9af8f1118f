// SPDX-License-Identifier: MIT

package debug

import (
	"runtime"
	"strconv"
	"strings"
)

// A BuildInfo tells how the program was made.
type BuildInfo struct {
	GoVersion string         `json:",omitempty"`
	Path      string         `json:",omitempty"`
	Main      Module         `json:""`
	Deps      []*Module      `json:",omitempty"`
	Settings  []BuildSetting `json:",omitempty"`
}

// A Module is a module that the program is made of.
type Module struct {
	Path    string  `json:",omitempty"`
	Version string  `json:",omitempty"`
	Sum     string  `json:",omitempty"`
	Replace *Module `json:",omitempty"`
}

// A BuildSetting is one setting of the build.
type BuildSetting struct {
	Key   string `json:",omitempty"`
	Value string `json:",omitempty"`
}

// ReadBuildInfo tells about the running program: like one that go run has
// made of files, it has no modules.
func ReadBuildInfo() (info *BuildInfo, ok bool) {
	return &BuildInfo{
		GoVersion: runtime.Version(),
		Path:      "command-line-arguments",
		Settings: []BuildSetting{
			{"-compiler", runtime.Compiler},
			{"GOARCH", runtime.GOARCH},
			{"GOOS", runtime.GOOS},
		},
	}, true
}

// quote quotes what would be taken apart otherwise.
func quote(s string) string {
	if s == "" || strings.ContainsAny(s, "= \t\r\n\"`") {
		return strconv.Quote(s)
	}
	return s
}

func (m *Module) text(b *strings.Builder, word string) {
	b.WriteString(word + "\t" + m.Path + "\t" + m.Version)
	if m.Replace == nil {
		b.WriteString("\t" + m.Sum + "\n")
		return
	}
	b.WriteString("\n")
	m.Replace.text(b, "=>")
}

// String returns the information as lines of words between tabs.
func (bi *BuildInfo) String() string {
	var b strings.Builder
	if bi.GoVersion != "" {
		b.WriteString("go\t" + bi.GoVersion + "\n")
	}
	if bi.Path != "" {
		b.WriteString("path\t" + bi.Path + "\n")
	}
	if bi.Main != (Module{}) {
		bi.Main.text(&b, "mod")
	}
	for _, d := range bi.Deps {
		d.text(&b, "dep")
	}
	for _, s := range bi.Settings {
		b.WriteString("build\t" + quote(s.Key) + "=" + quote(s.Value) + "\n")
	}
	return b.String()
}
