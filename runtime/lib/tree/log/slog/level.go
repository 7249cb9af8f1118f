// SPDX-License-Identifier: MIT

//go:build !go1.21

package slog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
)

// A Level says how much an event matters; there is room between those with
// names.
type Level int

const (
	LevelDebug Level = -4
	LevelInfo  Level = 0
	LevelWarn  Level = 4
	LevelError Level = 8
)

// A Leveler has a level, which may change.
type Leveler interface {
	Level() Level
}

var levels = [...]struct {
	level Level
	name  string
}{{LevelError, "ERROR"}, {LevelWarn, "WARN"}, {LevelInfo, "INFO"}, {LevelDebug, "DEBUG"}}

// String names the next level with a name below l, the lowest for what is
// lower than all, and says by how much they differ: "WARN+1".
func (l Level) String() string {
	i := 0
	for i < len(levels)-1 && l < levels[i].level {
		i++
	}
	if l == levels[i].level {
		return levels[i].name
	}
	return fmt.Sprintf("%s%+d", levels[i].name, int(l-levels[i].level))
}

func (l Level) Level() Level { return l }

func (l Level) AppendText(b []byte) ([]byte, error) {
	return append(b, l.String()...), nil
}

func (l Level) MarshalText() ([]byte, error) { return l.AppendText(nil) }

func (l Level) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, l.String()), nil
}

// UnmarshalText takes what String writes, in any case.
func (l *Level) UnmarshalText(data []byte) error {
	v, err := parseLevel(string(data))
	if err != nil {
		return fmt.Errorf("slog: level string %q: %w", data, err)
	}
	*l = v
	return nil
}

func (l *Level) UnmarshalJSON(data []byte) error {
	s, err := strconv.Unquote(string(data))
	if err != nil {
		return err
	}
	return l.UnmarshalText([]byte(s))
}

func parseLevel(s string) (Level, error) {
	name, offset := s, 0
	if i := strings.IndexAny(s, "+-"); i >= 0 {
		var err error
		if offset, err = strconv.Atoi(s[i:]); err != nil {
			return 0, err
		}
		name = s[:i]
	}
	for _, l := range levels {
		if strings.ToUpper(name) == l.name {
			return l.level + Level(offset), nil
		}
	}
	return 0, errors.New("unknown name")
}

// A LevelVar is a level that goroutines may read and change at the same time.
// The zero LevelVar is LevelInfo.
type LevelVar struct {
	v atomic.Int64
}

func (v *LevelVar) Level() Level { return Level(v.v.Load()) }

func (v *LevelVar) Set(l Level) { v.v.Store(int64(l)) }

func (v *LevelVar) String() string { return "LevelVar(" + v.Level().String() + ")" }

func (v *LevelVar) AppendText(b []byte) ([]byte, error) {
	return v.Level().AppendText(b)
}

func (v *LevelVar) MarshalText() ([]byte, error) { return v.AppendText(nil) }

func (v *LevelVar) UnmarshalText(data []byte) error {
	var l Level
	err := l.UnmarshalText(data)
	if err == nil {
		v.Set(l)
	}
	return err
}
