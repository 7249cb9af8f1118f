// SPDX-License-Identifier: MIT

package debug

import (
	"fmt"
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

// buildInfo is the text of the program's path and modules, lines as of String.
//
//race:none
func buildInfo() string

// ReadBuildInfo tells about the running program, which is made by each run.
func ReadBuildInfo() (info *BuildInfo, ok bool) {
	bi, err := ParseBuildInfo(buildInfo())
	if err != nil {
		return nil, false
	}
	bi.GoVersion = runtime.Version()
	bi.Settings = []BuildSetting{
		{"-compiler", runtime.Compiler},
		{"GOARCH", runtime.GOARCH},
		{"GOOS", runtime.GOOS},
	}
	return bi, true
}

const special = " \t\r\n\"`"

// badKey and badValue report whether a key or a value would be taken apart
// without quotes.
func badKey(s string) bool   { return s == "" || strings.ContainsAny(s, "="+special) }
func badValue(s string) bool { return strings.ContainsAny(s, special) }

func quote(s string, bad bool) string {
	if bad {
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
	b.WriteString("\n")
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
		b.WriteString("build\t" + quote(s.Key, badKey(s.Key)) + "=" +
			quote(s.Value, badValue(s.Value)) + "\n")
	}
	return b.String()
}

// ParseBuildInfo reads what String writes.
func ParseBuildInfo(data string) (bi *BuildInfo, err error) {
	bi = new(BuildInfo)
	var last *Module // which the next line may replace
	for n := 1; ; n++ {
		line, rest, ok := strings.Cut(data, "\n")
		if !ok {
			return bi, nil
		}
		if last, err = bi.parse(line, last); err != nil {
			return nil, fmt.Errorf("could not parse Go build info: line %d: %w", n, err)
		}
		data = rest
	}
}

// parse reads a line; it returns the module that it is about, or else last.
func (bi *BuildInfo) parse(line string, last *Module) (*Module, error) {
	word, rest, ok := strings.Cut(line, "\t")
	if !ok {
		return last, nil
	}
	switch word {
	case "path":
		bi.Path = rest
	case "mod":
		return &bi.Main, bi.Main.parse(rest)
	case "dep":
		m := new(Module)
		bi.Deps = append(bi.Deps, m)
		return m, m.parse(rest)
	case "=>":
		if n := strings.Count(rest, "\t") + 1; n != 3 {
			return nil, fmt.Errorf("expected 3 columns for replacement; got %d", n)
		}
		if last == nil {
			return nil, fmt.Errorf("replacement with no module on previous line")
		}
		last.Replace = new(Module)
		return nil, last.Replace.parse(rest)
	case "build":
		s, err := parseSetting(rest)
		if err != nil {
			return nil, err
		}
		bi.Settings = append(bi.Settings, s)
	}
	return last, nil
}

func (m *Module) parse(columns string) error {
	c := strings.Split(columns, "\t")
	if len(c) != 2 && len(c) != 3 {
		return fmt.Errorf("expected 2 or 3 columns; got %d", len(c))
	}
	m.Path, m.Version = c[0], c[1]
	if len(c) == 3 {
		m.Sum = c[2]
	}
	return nil
}

// parseSetting reads key=value, each maybe in quotes.
func parseSetting(s string) (BuildSetting, error) {
	var none BuildSetting
	if s == "" {
		return none, fmt.Errorf("build line missing '='")
	}
	key, value := "", ""
	switch s[0] {
	case '=':
		return none, fmt.Errorf("build line with missing key")
	case '`', '"':
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return none, fmt.Errorf("invalid quoted key in build line")
		}
		if s = s[len(quoted):]; s == "" {
			return none, fmt.Errorf("build line missing '=' after quoted key")
		}
		if s[0] != '=' {
			return none, fmt.Errorf("unexpected character after quoted key: %q", s[0])
		}
		key, _ = strconv.Unquote(quoted)
		value = s[1:]
	default:
		var ok bool
		if key, value, ok = strings.Cut(s, "="); !ok {
			return none, fmt.Errorf("build line missing '=' after key")
		}
		if badKey(key) {
			return none, fmt.Errorf("unquoted key %q must be quoted", key)
		}
	}
	if value != "" && (value[0] == '`' || value[0] == '"') {
		text, err := strconv.Unquote(value)
		if err != nil {
			return none, fmt.Errorf("invalid quoted value in build line")
		}
		value = text
	} else if badValue(value) {
		return none, fmt.Errorf("unquoted value %q must be quoted", value)
	}
	return BuildSetting{key, value}, nil
}
