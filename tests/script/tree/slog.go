// run
// tree

// Package log/slog, which is Go's own where the tree has it.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"
)

type secret string

func (secret) LogValue() slog.Value { return slog.StringValue("***") }

type loop struct{}

func (l loop) LogValue() slog.Value { return slog.AnyValue(l) }

type boom struct{}

func (boom) LogValue() slog.Value { panic("boom") }

type tm struct{ a int }

func (t tm) MarshalText() ([]byte, error) { return []byte(fmt.Sprint("tm ", t.a)), nil }

type bad struct{}

func (bad) MarshalText() ([]byte, error) { return nil, errors.New("bad text") }
func (bad) MarshalJSON() ([]byte, error) { return nil, errors.New("bad json") }

type pan struct{ x *int }

func (p *pan) String() string { return fmt.Sprint(*p.x) }
func (p *pan) Error() string  { return fmt.Sprint(*p.x) }

type bytesT []byte

func noTime(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		return slog.Attr{}
	}
	return a
}

func all(l *slog.Logger) {
	l.Info("hello")
	l.Info("hello world", "a", 1, "b", "two words", "c", true, "d", 1.5, "e", time.Second, "f", uint8(3), "g", nil)
	l.Debug("not seen")
	l.Warn("w", "odd")
	l.Error("e", 5, "x", 6)
	l.Info("", "", "", "k=", "v=", "q\"", "q\\", "nl", "a\nb\tc\r\x01\x7f", "u", "é\u2028\ufffd\xff 日本")
	l.Info("time", "t", time.Date(2020, 1, 2, 3, 4, 5, 6789000, time.UTC), "z", time.Time{}, "y", time.Date(2020, 1, 2, 3, 4, 5, 999999999, time.FixedZone("X", 3600)))
	l.Info("any", "s", []int{1, 2}, "m", map[string]int{"b": 1, "a": 2}, "st", struct{ A, B any }{1, "x"}, "err", errors.New("an error"), "bytes", []byte("by\"tes"), "bt", bytesT("x"), "ptr", (*int)(nil), "html", "<a&b>", "h2", []string{"<a&b>"})
	l.Info("marshal", "tm", tm{4}, "bad", bad{}, "pan", (*pan)(nil), "pan2", &pan{})
	l.Info("valuer", "s", secret("x"), "l", loop{}, slog.Group("g", "s", secret("y"), "n", slog.GroupValue()))
	l.Info("groups", slog.Group("g", "a", 1, slog.Group("h", "b", 2), slog.Group("empty"), slog.Group("", "inl", 3)), "z", slog.GroupValue(slog.Int("q", 1)))
	l.With("a", 1).Info("with", "b", 2)
	l.With("a", 1).WithGroup("G").Info("none")
	l.With("a", 1).WithGroup("G").Info("some", "b", 2)
	l.WithGroup("G").With("a", 1).WithGroup("H").Info("x", "b", 2)
	l.WithGroup("G").With("a", 1).WithGroup("H").With("c", 3).WithGroup("I").Info("x")
	l.WithGroup("G").With().WithGroup("").With(slog.Group("e")).Info("x")
	l.WithGroup("G H").With("a b", 1).Info("x", "c", 1)
	l.LogAttrs(context.Background(), slog.LevelInfo+2, "attrs", slog.Int("a", 1), slog.Attr{}, slog.Any("", nil), slog.Uint64("u", 1<<63), slog.Float64("f", 1e21), slog.Int64("i", -1))
	l.Log(nil, slog.Level(-5), "no")
	l.Log(nil, slog.Level(20), "yes")
	l.Info("float", "a", 1e300, "b", float32(.1), "k", slog.KindBool, "lv", slog.LevelWarn, "raw", json.RawMessage(`{"a":1}`), "f", func() {} == nil)
	l.Info("more", "1", 1, "2", 2, "3", 3, "4", 4, "5", 5, "6", 6, "7", 7)
	l.Info("chan", "c", make(chan int) == nil, "fn", complex(1, 2))
}

func main() {
	for _, json := range []bool{false, true} {
		mk := func(o *slog.HandlerOptions) *slog.Logger {
			if json {
				return slog.New(slog.NewJSONHandler(os.Stdout, o))
			}
			return slog.New(slog.NewTextHandler(os.Stdout, o))
		}
		all(mk(&slog.HandlerOptions{ReplaceAttr: noTime}))
		l := mk(&slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(g []string, a slog.Attr) slog.Attr {
			if a.Key == "time" {
				a.Value = slog.AnyValue("T")
			}
			if a.Key == "rm" {
				return slog.Attr{}
			}
			if a.Key == "level" {
				return slog.String("sev", a.Value.Any().(slog.Level).String())
			}
			if len(g) > 0 {
				a.Key = fmt.Sprint(g, a.Key)
			}
			return a
		}})
		all(l)
		l.WithGroup("G").With("a", 1, slog.Group("q", "rm", 1, "x", 2)).Info("x", "b", 2, "rm", 4)
		l.WithGroup("G").With("rm", 1).Info("x", "rm", 3)
	}
	var lv slog.LevelVar
	for _, s := range []string{"INFO", "info+3", "Debug-2", "ERROR", "x", "warn+y", "warn-1"} {
		fmt.Println(lv.UnmarshalText([]byte(s)), lv.Level(), &lv)
	}
	b, err := json.Marshal(map[string]any{"l": slog.LevelError + 1, "v": &lv})
	fmt.Println(string(b), err)
	var l2 slog.Level
	fmt.Println(json.Unmarshal([]byte(`"warn"`), &l2), l2, json.Unmarshal([]byte(`"nn"`), &l2), json.Unmarshal([]byte(`3`), &l2))
	for i := -6; i < 12; i++ {
		fmt.Print(slog.Level(i), " ")
	}
	fmt.Println()
	for _, v := range []any{1, "s", nil, true, time.Second, 1.5, []slog.Attr{slog.Int("a", 1)}, secret("x"), slog.KindAny, slog.IntValue(3), uint(3), float32(2), errors.New("e")} {
		x := slog.AnyValue(v)
		fmt.Println(x.Kind(), x, x.Equal(slog.AnyValue(v)), x.Any() == nil)
	}
	fmt.Println(slog.Kind(99), slog.Int("a", 1), slog.Group("g", "a", 1, "b"), slog.Any("x", struct{ A int }{1}), slog.Time("t", time.Time{}))
	for _, f := range []func(){func() { slog.IntValue(1).Bool() }, func() { slog.StringValue("").Group() }, func() { slog.New(nil) }, func() { slog.BoolValue(true).Time() },
		func() { slog.AnyValue([]int{1}).Equal(slog.AnyValue([]int{1})) }} {
		func() { defer func() { fmt.Println(recover()) }(); f() }()
	}
	// The default handler and package log.
	log.SetFlags(0)
	log.SetOutput(os.Stdout)
	all(slog.Default())
	slog.Info("top", "a", 1)
	slog.Debug("no")
	slog.SetLogLoggerLevel(slog.LevelDebug)
	slog.Debug("yes", slog.Group("g", "a", 1))
	slog.With("w", 1).WithGroup("gg").Warn("x", "y", 1)
	log.SetFlags(log.Lshortfile)
	slog.Info("with place")
	slog.Default().With("a", 1).Info("with place")
	h := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{AddSource: true, Level: slog.LevelDebug, ReplaceAttr: func(g []string, a slog.Attr) slog.Attr {
		if s, ok := a.Value.Any().(*slog.Source); ok && len(s.File) > 5 {
			s.File = s.File[len(s.File)-5:]
		}
		return noTime(g, a)
	}})
	slog.SetDefault(slog.New(h))
	slog.Info("placed")
	log.Print("from log")
	log.Printf("from %s\n", "log")
	slog.NewLogLogger(h, slog.LevelWarn).Print("logger")
	slog.Default().LogAttrs(nil, slog.LevelInfo, "q")
	m := slog.New(slog.NewMultiHandler(h, slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: noTime, Level: slog.LevelError}), slog.DiscardHandler))
	m.With("a", 1).WithGroup("g").Error("multi", "b", 2)
	m.Info("multi")
	// Records.
	r := slog.NewRecord(time.Time{}, slog.LevelInfo, "rec", 0)
	r.Add("a", 1, "b", 2, "c", 3, "d", 4, "e", 5, "f", 6, "g", 7)
	r2 := r
	r.AddAttrs(slog.Int("h", 8))
	r2.AddAttrs(slog.Int("i", 9), slog.Group("none"))
	r3 := r.Clone()
	r3.AddAttrs(slog.Int("j", 10))
	for _, x := range []slog.Record{r, r2, r3} {
		fmt.Print(x.NumAttrs(), x.Source())
		x.Attrs(func(a slog.Attr) bool { fmt.Print(" ", a); return a.Key != "h" })
		fmt.Println()
	}
	fmt.Println(h.Handle(context.Background(), r3), h.Enabled(nil, -5), slog.Default().Enabled(nil, 0), slog.Default().Handler() == h)
	s := slog.AnyValue(boom{}).Resolve()
	fmt.Println(s.Any().(error).Error()[:16])
	slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: noTime})).Info("y", "t", time.Date(12345, 1, 1, 0, 0, 0, 0, time.UTC))
}
