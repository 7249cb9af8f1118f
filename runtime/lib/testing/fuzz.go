// SPDX-License-Identifier: MIT

package testing

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

// An F is a fuzz test, of which the seeds are run: those of Add and those in
// testdata/fuzz. Nothing is made up.
type F struct {
	common
	seeds  []seed
	called bool
	run    *running
}

// An InternalFuzzTarget is a fuzz test by name.
type InternalFuzzTarget struct {
	Name string
	Fn   func(f *F)
}

// A seed is the arguments of one call, and what they are called.
type seed struct {
	name string
	args []any
}

// Add adds arguments for the function that Fuzz is given.
func (f *F) Add(args ...any) {
	for _, a := range args {
		if !canFuzz(a) {
			panic(fmt.Sprintf("testing: unsupported type to Add %v", reflect.TypeOf(a)))
		}
	}
	f.seeds = append(f.seeds, seed{"seed#" + strconv.Itoa(len(f.seeds)), args})
}

func canFuzz(a any) bool {
	switch a.(type) {
	case []byte, string, bool, float32, float64, int, int8, int16, int32, int64,
		uint, uint8, uint16, uint32, uint64:
		return true
	}
	return false
}

func (f *F) Setenv(key, value string) { f.common.Setenv(key, value) }

// caller is a reflect.Value of a function.
type caller interface {
	Call(args []reflect.Value) []reflect.Value
}

// call calls ff with a T and the arguments of a seed.
func call(ff any, t *T, args []any) {
	switch fn := ff.(type) {
	case func(*T, []byte):
		fn(t, args[0].([]byte))
	case func(*T, string):
		fn(t, args[0].(string))
	case func(*T, string, string):
		fn(t, args[0].(string), args[1].(string))
	default:
		c, ok := any(reflect.ValueOf(ff)).(caller)
		if !ok {
			t.Fatalf("testing: cannot call a %T", ff)
		}
		values := []reflect.Value{reflect.ValueOf(t)}
		for _, a := range args {
			values = append(values, reflect.ValueOf(a))
		}
		c.Call(values)
	}
}

// Fuzz runs ff, a func(*T, ...), with each seed.
func (f *F) Fuzz(ff any) {
	if f.called {
		panic("testing: F.Fuzz called more than once")
	}
	f.called = true
	if f.failed {
		return
	}
	ft := reflect.TypeOf(ff)
	if ft == nil || ft.Kind() != reflect.Func {
		panic("testing: F.Fuzz must receive a function")
	}
	if ft.NumIn() < 2 || ft.In(0) != reflect.TypeOf((*T)(nil)) {
		panic("testing: fuzz target must receive at least two arguments, where the first argument is a *T")
	}
	if ft.NumOut() != 0 {
		panic("testing: fuzz target must not return a value")
	}
	var types []reflect.Type
	for i := 1; i < ft.NumIn(); i++ {
		types = append(types, ft.In(i))
	}
	for _, s := range f.seeds {
		if err := checkSeed(s.args, types); err != nil {
			f.Fatal(err)
		}
	}
	files, err := readCorpus(filepath.Join("testdata/fuzz", f.name), types)
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range append(f.seeds, files...) {
		f.runSeed(s, ff)
	}
	f.finished = true
	f.hasSub = true
	runtime.Goexit()
}

// runSeed runs one as a part of f.
func (f *F) runSeed(s seed, ff any) {
	full, ok, _ := f.run.match.fullName(&f.common, s.name)
	if !ok {
		return
	}
	t := &T{run: f.run}
	t.name = full
	t.parent = &f.common
	t.level = f.level + 1
	t.talk = f.talk
	t.signal = make(chan bool, 1)
	t.barrier = make(chan bool)
	if t.talk != nil {
		t.talk.update(full, "=== RUN   "+full+"\n")
	}
	f.run.begin(full)
	go tRunner(t, func(t *T) {
		call(ff, t, s.args)
	})
	<-t.signal
}

func checkSeed(args []any, types []reflect.Type) error {
	if len(args) != len(types) {
		return fmt.Errorf("wrong number of values in corpus entry: %d, want %d", len(args), len(types))
	}
	for i, a := range args {
		if reflect.TypeOf(a) != types[i] {
			return fmt.Errorf("mismatched types in corpus entry: %v, want %v", typeList(args), types)
		}
	}
	return nil
}

func typeList(args []any) []reflect.Type {
	var l []reflect.Type
	for _, a := range args {
		l = append(l, reflect.TypeOf(a))
	}
	return l
}

// readCorpus reads the seeds that lie in files.
func readCorpus(dir string, types []reflect.Type) ([]seed, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading seed corpus from testdata: %v", err)
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	var out []seed
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("failed to read corpus file: %v", err)
		}
		args, err := parseCorpus(data)
		if err == nil {
			err = checkSeed(args, types)
		}
		if err != nil {
			return nil, fmt.Errorf("malformed corpus file %q: %v", e.Name(), err)
		}
		out = append(out, seed{e.Name(), args})
	}
	return out, nil
}

// parseCorpus reads "go test fuzz v1" and a line like int(5) or []byte("x") for
// each argument.
func parseCorpus(data []byte) (args []any, err error) {
	lines := bytes.Split(data, []byte("\n"))
	if len(lines) < 2 || strings.TrimSuffix(string(lines[0]), "\r") != "go test fuzz v1" {
		return nil, fmt.Errorf("must include version and at least one value")
	}
	for _, l := range lines[1:] {
		line := strings.TrimSpace(string(l))
		if line == "" {
			continue
		}
		a, err := parseArg(line)
		if err != nil {
			return nil, fmt.Errorf("malformed line %q: %v", line, err)
		}
		args = append(args, a)
	}
	return args, nil
}

func parseArg(line string) (any, error) {
	open := strings.IndexByte(line, '(')
	if open < 0 || !strings.HasSuffix(line, ")") {
		return nil, errors.New("expected call expression")
	}
	typ, text := line[:open], line[open+1:len(line)-1]
	switch typ {
	case "string":
		return strconv.Unquote(text)
	case "[]byte":
		s, err := strconv.Unquote(text)
		return []byte(s), err
	case "bool":
		return strconv.ParseBool(text)
	case "float32":
		x, err := strconv.ParseFloat(text, 32)
		return float32(x), err
	case "float64":
		return strconv.ParseFloat(text, 64)
	}
	return parseInt(typ, text)
}

func parseInt(typ, text string) (any, error) {
	var n int64
	var u uint64
	var err error
	if strings.HasPrefix(text, "'") {
		var s string
		s, err = strconv.Unquote(text)
		for _, r := range s {
			n, u = int64(r), uint64(r)
		}
	} else if strings.HasPrefix(typ, "u") || typ == "byte" {
		u, err = strconv.ParseUint(text, 0, 64)
	} else {
		n, err = strconv.ParseInt(text, 0, 64)
	}
	if err != nil {
		return nil, err
	}
	switch typ {
	case "int":
		return int(n), nil
	case "int8":
		return int8(n), nil
	case "int16":
		return int16(n), nil
	case "int32", "rune":
		return int32(n), nil
	case "int64":
		return n, nil
	case "uint":
		return uint(u), nil
	case "uint8", "byte":
		return uint8(u), nil
	case "uint16":
		return uint16(u), nil
	case "uint32":
		return uint32(u), nil
	case "uint64":
		return u, nil
	}
	return nil, fmt.Errorf("unknown type %s", typ)
}

// runFuzz runs the seeds of the fuzz tests that -run chooses.
func runFuzz(m *matcher, targets []InternalFuzzTarget) (ran, ok bool) {
	if len(targets) == 0 {
		return false, true
	}
	tests := make([]InternalTest, len(targets))
	for i := range targets {
		fn := targets[i].Fn
		tests[i] = InternalTest{targets[i].Name, func(t *T) {
			f := &F{run: t.run}
			f.name, f.parent, f.level, f.talk = t.name, t.parent, t.level, t.talk
			f.begin = t.begin
			f.barrier = make(chan bool)
			done := make(chan any)
			go f.main(fn, done)
			err := <-done
			t.mu.Lock()
			t.output = append(t.output, f.output...)
			t.failed = t.failed || f.failed
			t.skipped = f.skipped
			t.hasSub = f.hasSub && !f.ran
			t.mu.Unlock()
			if err != nil {
				panic(err)
			}
			if t.skipped || f.Failed() {
				t.finished = true
				runtime.Goexit()
			}
		}}
	}
	return runTests(m, tests)
}

// runParallel has the seeds go on together that have called t.Parallel, as its
// seeds have all begun.
func (f *F) runParallel() {
	if len(f.waiting) == 0 {
		return
	}
	<-f.run.slots
	close(f.barrier)
	for _, sub := range f.waiting {
		<-sub.signal
	}
	f.run.slots <- true
}

// main runs f in its own goroutine; done gets what it panicked with.
func (f *F) main(fn func(*F), done chan any) {
	defer func() {
		err := recover()
		if !f.finished && err == nil {
			err = "test executed panic(nil) or runtime.Goexit"
		}
		f.runParallel()
		f.cleanup()
		f.flush()
		done <- err
	}()
	fn(f)
	if !f.called && !f.skipped && !f.failed {
		f.Error("fuzz test returned without calling F.Fuzz, F.Fail, or F.Skip")
	}
	f.finished = true
}
