// SPDX-License-Identifier: MIT

// Package environ is the environment of the process, for package os and for
// what a tree of Go's sources brings beside it.
package environ

import "sync"

// env guards the environment, and whom to tell.
var env struct {
	sync.RWMutex
	watched string
	watch   func(value string)
}

//native os.getenv
func getenv(key string) (v string, ok bool)

//native os.setenv
func setenv(key, v string) (errno int)

//native os.unsetenv
func unsetenv(key string) (errno int)

//native os.environ
func environ() []string

//native os.godebug
func godebug() string

//native os.setGodebug
func setGodebug(value string)

// Lookup is the value of a variable, and whether it is set.
func Lookup(key string) (string, bool) {
	env.RLock()
	defer env.RUnlock()
	return getenv(key)
}

// Set sets a variable; errno is 0 if that went well.
func Set(key, value string) (errno int) {
	env.Lock()
	defer env.Unlock()
	errno = setenv(key, value)
	tell(key)
	return errno
}

// Unset removes a variable.
func Unset(key string) (errno int) {
	env.Lock()
	defer env.Unlock()
	errno = unsetenv(key)
	tell(key)
	return errno
}

// List is all variables as "key=value".
func List() []string {
	env.RLock()
	defer env.RUnlock()
	return environ()
}

// Clear removes all variables.
func Clear() {
	for _, e := range List() {
		for i := 1; i < len(e); i++ {
			if e[i] == '=' {
				Unset(e[:i])
				break
			}
		}
	}
}

// Watch calls f with the value that the variable key has, and then whenever
// somebody sets it. There is one who watches: package internal/godebug.
func Watch(key string, f func(value string)) {
	env.Lock()
	defer env.Unlock()
	env.watched, env.watch = key, f
	tell(key)
}

// Godebug is the settings of GODEBUG that the program has by default.
func Godebug() string { return godebug() }

// tell is called with the lock held.
func tell(key string) {
	if key == "GODEBUG" {
		v, _ := getenv(key)
		setGodebug(v)
	}
	if env.watch != nil && key == env.watched {
		v, _ := getenv(key)
		env.watch(v)
	}
}
