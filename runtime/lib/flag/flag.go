// SPDX-License-Identifier: MIT

// Package flag reads the flags of a command line: -name, -name=value and,
// for those that are not boolean, -name value.
package flag

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sort"
	"strings"
	"time"
)

// ErrHelp is Parse's error for -h and -help when they are not defined.
var ErrHelp = errors.New("flag: help requested")

// ErrorHandling says what Parse does with an error.
type ErrorHandling int

const (
	ContinueOnError ErrorHandling = iota // return it
	ExitOnError                          // exit with status 2, 0 for help
	PanicOnError                         // panic
)

// A Flag is the definition and state of a flag.
type Flag struct {
	Name     string
	Usage    string
	Value    Value
	DefValue string // text of the default
}

// A FlagSet is a set of flags.
type FlagSet struct {
	// Usage is called on an error; nil means a text with all flags.
	Usage func()

	name    string
	parsed  bool
	actual  map[string]*Flag  // those that were set
	formal  map[string]*Flag  // all
	early   map[string]string // set before they were defined: where
	args    []string          // what follows the flags
	onError ErrorHandling
	output  io.Writer
}

// sorted is the flags of a map in order of their names.
func sorted(flags map[string]*Flag) []*Flag {
	list := make([]*Flag, 0, len(flags))
	for _, f := range flags {
		list = append(list, f)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// NewFlagSet makes a set without flags.
func NewFlagSet(name string, errorHandling ErrorHandling) *FlagSet {
	f := &FlagSet{name: name, onError: errorHandling}
	f.Usage = f.defaultUsage
	return f
}

// Init sets what NewFlagSet takes.
func (f *FlagSet) Init(name string, errorHandling ErrorHandling) {
	f.name, f.onError = name, errorHandling
}

// Name is the name of the set.
func (f *FlagSet) Name() string { return f.name }

// ErrorHandling is how errors are handled.
func (f *FlagSet) ErrorHandling() ErrorHandling { return f.onError }

// Output is where messages go: standard error unless set.
func (f *FlagSet) Output() io.Writer {
	if f.output == nil {
		return os.Stderr
	}
	return f.output
}

// SetOutput sets where messages go; nil means standard error.
func (f *FlagSet) SetOutput(output io.Writer) { f.output = output }

// VisitAll calls fn for each flag in order of names.
func (f *FlagSet) VisitAll(fn func(*Flag)) {
	for _, flag := range sorted(f.formal) {
		fn(flag)
	}
}

// Visit calls fn for each flag that was set.
func (f *FlagSet) Visit(fn func(*Flag)) {
	for _, flag := range sorted(f.actual) {
		fn(flag)
	}
}

// Lookup returns the flag with a name, nil if there is none.
func (f *FlagSet) Lookup(name string) *Flag { return f.formal[name] }

// Set sets a flag from a text.
func (f *FlagSet) Set(name, value string) error {
	flag, ok := f.formal[name]
	if !ok {
		if f.early == nil {
			f.early = map[string]string{}
		}
		where := ""
		if _, file, line, ok := runtime.Caller(2); ok {
			where = fmt.Sprintf("%s:%d", file, line)
		}
		f.early[name] = where
		return fmt.Errorf("no such flag -%v", name)
	}
	if err := flag.Value.Set(value); err != nil {
		return err
	}
	f.mark(flag)
	return nil
}

// mark notes that a flag was set.
func (f *FlagSet) mark(flag *Flag) {
	if f.actual == nil {
		f.actual = map[string]*Flag{}
	}
	f.actual[flag.Name] = flag
}

// UnquoteUsage takes the name of the flag's value out of the usage text: what
// stands in backquotes, else a word for the type.
func UnquoteUsage(flag *Flag) (name string, usage string) {
	usage = flag.Usage
	if i := strings.IndexByte(usage, '`'); i >= 0 {
		if n := strings.IndexByte(usage[i+1:], '`'); n >= 0 {
			name = usage[i+1 : i+1+n]
			return name, usage[:i] + name + usage[i+n+2:]
		}
	}
	if isBool(flag.Value) {
		return "", usage
	}
	switch flag.Value.(type) {
	case *durationValue:
		name = "duration"
	case *float64Value:
		name = "float"
	case *intValue, *int64Value:
		name = "int"
	case *stringValue:
		name = "string"
	case *uintValue, *uint64Value:
		name = "uint"
	default:
		name = "value"
	}
	return name, usage
}

// PrintDefaults writes a description of each flag to the set's output.
func (f *FlagSet) PrintDefaults() {
	var failed []error
	f.VisitAll(func(flag *Flag) {
		var b strings.Builder
		b.WriteString("  -" + flag.Name)
		name, usage := UnquoteUsage(flag)
		if name != "" {
			b.WriteString(" " + name)
		}
		// The text of a flag of one letter goes on its line.
		if b.Len() <= 4 {
			b.WriteString("\t")
		} else {
			b.WriteString("\n    \t")
		}
		b.WriteString(strings.ReplaceAll(usage, "\n", "\n    \t"))
		zero, err := isZero(flag, flag.DefValue)
		if err != nil {
			failed = append(failed, err)
		} else if !zero {
			if _, ok := flag.Value.(*stringValue); ok {
				fmt.Fprintf(&b, " (default %q)", flag.DefValue)
			} else {
				fmt.Fprintf(&b, " (default %v)", flag.DefValue)
			}
		}
		fmt.Fprint(f.Output(), b.String(), "\n")
	})
	if len(failed) > 0 {
		fmt.Fprintln(f.Output())
		for _, err := range failed {
			fmt.Fprintln(f.Output(), err)
		}
	}
}

func (f *FlagSet) defaultUsage() {
	if f.name == "" {
		fmt.Fprintf(f.Output(), "Usage:\n")
	} else {
		fmt.Fprintf(f.Output(), "Usage of %s:\n", f.name)
	}
	f.PrintDefaults()
}

func (f *FlagSet) usage() {
	if f.Usage == nil {
		f.defaultUsage()
	} else {
		f.Usage()
	}
}

// NFlag counts the flags that were set.
func (f *FlagSet) NFlag() int { return len(f.actual) }

// Arg is the i-th argument after the flags, empty if there is none.
func (f *FlagSet) Arg(i int) string {
	if i < 0 || i >= len(f.args) {
		return ""
	}
	return f.args[i]
}

// NArg counts the arguments after the flags.
func (f *FlagSet) NArg() int { return len(f.args) }

// Args is the arguments after the flags.
func (f *FlagSet) Args() []string { return f.args }

// Parsed reports whether Parse was called.
func (f *FlagSet) Parsed() bool { return f.parsed }

// misuse reports a wrong definition and panics.
func (f *FlagSet) misuse(msg string) {
	fmt.Fprintln(f.Output(), msg)
	panic(msg)
}

// Var defines a flag of any Value.
func (f *FlagSet) Var(value Value, name string, usage string) {
	if strings.HasPrefix(name, "-") {
		f.misuse(fmt.Sprintf("flag %q begins with -", name))
	}
	if strings.Contains(name, "=") {
		f.misuse(fmt.Sprintf("flag %q contains =", name))
	}
	if _, ok := f.formal[name]; ok {
		if f.name == "" {
			f.misuse("flag redefined: " + name)
		}
		f.misuse(f.name + " flag redefined: " + name)
	}
	if where := f.early[name]; where != "" {
		panic(fmt.Sprintf("flag %s set at %s before being defined", name, where))
	}
	if f.formal == nil {
		f.formal = map[string]*Flag{}
	}
	f.formal[name] = &Flag{name, usage, value, value.String()}
}

// fail reports an error in the arguments.
func (f *FlagSet) fail(text string) error {
	fmt.Fprintln(f.Output(), text)
	f.usage()
	return errors.New(text)
}

// parseOne reads one flag; it is false at the end of the flags.
func (f *FlagSet) parseOne() (bool, error) {
	if len(f.args) == 0 {
		return false, nil
	}
	arg := f.args[0]
	if len(arg) < 2 || arg[0] != '-' {
		return false, nil
	}
	name := arg[1:]
	if name[0] == '-' {
		name = name[1:]
		if name == "" {
			f.args = f.args[1:]
			return false, nil
		}
	}
	if name == "" || name[0] == '-' || name[0] == '=' {
		return false, f.fail("bad flag syntax: " + arg)
	}
	f.args = f.args[1:]

	value, hasValue := "", false
	if i := strings.IndexByte(name, '='); i > 0 {
		name, value, hasValue = name[:i], name[i+1:], true
	}
	flag, ok := f.formal[name]
	if !ok {
		if name == "help" || name == "h" {
			f.usage()
			return false, ErrHelp
		}
		return false, f.fail("flag provided but not defined: -" + name)
	}
	if isBool(flag.Value) {
		if !hasValue {
			value = "true"
		}
		if err := flag.Value.Set(value); err != nil {
			if hasValue {
				return false, f.fail(fmt.Sprintf("invalid boolean value %q for -%s: %v", value, name, err))
			}
			return false, f.fail(fmt.Sprintf("invalid boolean flag %s: %v", name, err))
		}
	} else {
		if !hasValue && len(f.args) > 0 {
			hasValue = true
			value, f.args = f.args[0], f.args[1:]
		}
		if !hasValue {
			return false, f.fail("flag needs an argument: -" + name)
		}
		if err := flag.Value.Set(value); err != nil {
			return false, f.fail(fmt.Sprintf("invalid value %q for flag -%s: %v", value, name, err))
		}
	}
	f.mark(flag)
	return true, nil
}

// Parse reads the flags at the beginning of arguments, which do not include
// the command's name.
func (f *FlagSet) Parse(arguments []string) error {
	f.parsed = true
	f.args = arguments
	for {
		more, err := f.parseOne()
		if more {
			continue
		}
		if err == nil {
			return nil
		}
		switch f.onError {
		case ExitOnError:
			if err == ErrHelp {
				os.Exit(0)
			}
			os.Exit(2)
		case PanicOnError:
			panic(err)
		}
		return err
	}
}

func (f *FlagSet) BoolVar(p *bool, name string, value bool, usage string) {
	*p = value
	f.Var((*boolValue)(p), name, usage)
}

func (f *FlagSet) Bool(name string, value bool, usage string) *bool {
	p := new(bool)
	f.BoolVar(p, name, value, usage)
	return p
}

func (f *FlagSet) IntVar(p *int, name string, value int, usage string) {
	*p = value
	f.Var((*intValue)(p), name, usage)
}

func (f *FlagSet) Int(name string, value int, usage string) *int {
	p := new(int)
	f.IntVar(p, name, value, usage)
	return p
}

func (f *FlagSet) Int64Var(p *int64, name string, value int64, usage string) {
	*p = value
	f.Var((*int64Value)(p), name, usage)
}

func (f *FlagSet) Int64(name string, value int64, usage string) *int64 {
	p := new(int64)
	f.Int64Var(p, name, value, usage)
	return p
}

func (f *FlagSet) UintVar(p *uint, name string, value uint, usage string) {
	*p = value
	f.Var((*uintValue)(p), name, usage)
}

func (f *FlagSet) Uint(name string, value uint, usage string) *uint {
	p := new(uint)
	f.UintVar(p, name, value, usage)
	return p
}

func (f *FlagSet) Uint64Var(p *uint64, name string, value uint64, usage string) {
	*p = value
	f.Var((*uint64Value)(p), name, usage)
}

func (f *FlagSet) Uint64(name string, value uint64, usage string) *uint64 {
	p := new(uint64)
	f.Uint64Var(p, name, value, usage)
	return p
}

func (f *FlagSet) StringVar(p *string, name string, value string, usage string) {
	*p = value
	f.Var((*stringValue)(p), name, usage)
}

func (f *FlagSet) String(name string, value string, usage string) *string {
	p := new(string)
	f.StringVar(p, name, value, usage)
	return p
}

func (f *FlagSet) Float64Var(p *float64, name string, value float64, usage string) {
	*p = value
	f.Var((*float64Value)(p), name, usage)
}

func (f *FlagSet) Float64(name string, value float64, usage string) *float64 {
	p := new(float64)
	f.Float64Var(p, name, value, usage)
	return p
}

func (f *FlagSet) DurationVar(p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	f.Var((*durationValue)(p), name, usage)
}

func (f *FlagSet) Duration(name string, value time.Duration, usage string) *time.Duration {
	p := new(time.Duration)
	f.DurationVar(p, name, value, usage)
	return p
}

// TextVar defines a flag whose variable, which p points to, reads text; value
// is the default, of the variable's type or a pointer to it.
func (f *FlagSet) TextVar(p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
	f.Var(newTextValue(value, p), name, usage)
}

// Func defines a flag that calls fn with its value.
func (f *FlagSet) Func(name, usage string, fn func(string) error) {
	f.Var(funcValue(fn), name, usage)
}

// BoolFunc defines a flag without a value that calls fn.
func (f *FlagSet) BoolFunc(name, usage string, fn func(string) error) {
	f.Var(boolFuncValue(fn), name, usage)
}
