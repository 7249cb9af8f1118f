// SPDX-License-Identifier: MIT

package trace

import (
	"context"
	"fmt"
	"sync/atomic"
)

// Each call of the following records one event, unless nothing is traced.
// skip is how many frames, from the caller on, belong to this package.

//race:none
func taskCreate(id, parent uint64, name string, skip int)

//race:none
func taskEnd(id uint64, skip int)

//race:none
func region(id uint64, end bool, name string, skip int)

//race:none
func userLog(id uint64, category, message string, skip int)

// A Task is an operation that may span goroutines, from NewTask to End.
type Task struct {
	id uint64
}

type taskKey struct{}

var (
	lastTask   atomic.Uint64
	background Task // what a context without a task belongs to
)

func taskOf(ctx context.Context) *Task {
	if t, ok := ctx.Value(taskKey{}).(*Task); ok {
		return t
	}
	return &background
}

// NewTask begins a task of the given type, within that of ctx, and returns a
// context that carries it. Types are few and say what is done, not for whom.
func NewTask(ctx context.Context, taskType string) (context.Context, *Task) {
	t := &Task{id: lastTask.Add(1)}
	taskCreate(t.id, taskOf(ctx).id, taskType, 1)
	return context.WithValue(ctx, taskKey{}, t), t
}

// End marks the end of the task.
func (t *Task) End() {
	taskEnd(t.id, 1)
}

// Log records a message for the task of ctx, under a category.
func Log(ctx context.Context, category, message string) {
	if IsEnabled() {
		userLog(taskOf(ctx).id, category, message, 1)
	}
}

// Logf is Log with a message made by fmt.Sprintf, if anything is traced.
func Logf(ctx context.Context, category, format string, args ...any) {
	if IsEnabled() {
		userLog(taskOf(ctx).id, category, fmt.Sprintf(format, args...), 1)
	}
}

// A Region is a span of time of one goroutine, from StartRegion to End.
type Region struct {
	id         uint64
	regionType string
}

// What StartRegion returns while nothing is traced.
var noRegion = new(Region)

// WithRegion runs fn as a region of the task of ctx.
func WithRegion(ctx context.Context, regionType string, fn func()) {
	id := taskOf(ctx).id
	region(id, false, regionType, 1)
	defer region(id, true, regionType, 1)
	fn()
}

// StartRegion begins a region of the task of ctx in the calling goroutine,
// which must end it too, after those that it begins within.
func StartRegion(ctx context.Context, regionType string) *Region {
	if !IsEnabled() {
		return noRegion
	}
	r := &Region{id: taskOf(ctx).id, regionType: regionType}
	region(r.id, false, regionType, 1)
	return r
}

// End ends the region.
func (r *Region) End() {
	if r != noRegion {
		region(r.id, true, r.regionType, 1)
	}
}
