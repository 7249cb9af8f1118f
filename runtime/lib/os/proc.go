// SPDX-License-Identifier: MIT

package os

import (
	"errors"
	"internal/environ"
	"syscall"
)

// Args is the program's name and arguments.
var Args = args()

// started is Args[0] as it was at first.
var started = args()[0]

// Exit ends the program at once; deferred functions do not run.
func Exit(code int) { exit(code) }

// A Signal is sent by the operating system.
type Signal interface {
	String() string
	Signal()
}

var (
	Interrupt Signal = syscall.SIGINT
	Kill      Signal = syscall.SIGKILL
)

// Getenv is the value of an environment variable, "" if it is not set.
func Getenv(key string) string {
	v, _ := LookupEnv(key)
	return v
}

// LookupEnv is Getenv that says whether the variable is set.
func LookupEnv(key string) (string, bool) { return environ.Lookup(key) }

// Setenv sets an environment variable.
func Setenv(key, value string) error {
	if errno := environ.Set(key, value); errno != 0 {
		return NewSyscallError("setenv", syscall.Errno(errno))
	}
	return nil
}

// Unsetenv removes an environment variable.
func Unsetenv(key string) error {
	if errno := environ.Unset(key); errno != 0 {
		return NewSyscallError("unsetenv", syscall.Errno(errno))
	}
	return nil
}

// Environ is the environment as "key=value" strings.
func Environ() []string { return environ.List() }

// Clearenv removes all environment variables.
func Clearenv() { environ.Clear() }

// ExpandEnv replaces ${var} and $var by environment variables.
func ExpandEnv(s string) string { return Expand(s, Getenv) }

// Expand replaces ${var} and $var by what mapping says.
func Expand(s string, mapping func(string) string) string {
	var b []byte
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '$' || i+1 >= len(s) {
			continue
		}
		if b == nil {
			b = make([]byte, 0, 2*len(s))
		}
		b = append(b, s[start:i]...)
		name, n := shellName(s[i+1:])
		if name == "" && n > 0 {
			// Bad syntax: drop it.
		} else if name == "" {
			b = append(b, '$')
		} else {
			b = append(b, mapping(name)...)
		}
		i += n
		start = i + 1
	}
	if b == nil {
		return s
	}
	return string(append(b, s[start:]...))
}

func isSpecial(c byte) bool {
	switch c {
	case '*', '#', '$', '@', '!', '?', '-':
		return true
	}
	return '0' <= c && c <= '9'
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// shellName returns the variable at the start of s, and its length there.
func shellName(s string) (string, int) {
	if s[0] == '{' {
		if len(s) > 2 && isSpecial(s[1]) && s[2] == '}' {
			return s[1:2], 3
		}
		for i := 1; i < len(s); i++ {
			if s[i] == '}' {
				if i == 1 {
					return "", 2
				}
				return s[1:i], i + 1
			}
		}
		return "", 1
	}
	if isSpecial(s[0]) {
		return s[:1], 1
	}
	i := 0
	for i < len(s) && isWord(s[i]) {
		i++
	}
	return s[:i], i
}

// Numbers of the process and its owner.
func Getpid() int      { return id(0) }
func Getppid() int     { return id(1) }
func Getuid() int      { return id(2) }
func Geteuid() int     { return id(3) }
func Getgid() int      { return id(4) }
func Getegid() int     { return id(5) }
func Getpagesize() int { return id(6) }

// Hostname is the machine's name.
func Hostname() (name string, err error) {
	name, errno := hostname()
	if errno != 0 {
		return "", NewSyscallError("uname", syscall.Errno(errno))
	}
	return name, nil
}

// Executable is the path of the running program.
func Executable() (string, error) {
	if n := len(started); n > 5 && started[0] == '/' && started[n-5:] == ".test" {
		return started, nil // it starts the tests again
	}
	s, errno := readlink("/proc/self/exe")
	return s, pathError("readlink", "/proc/self/exe", errno)
}

// UserHomeDir is the user's home directory.
func UserHomeDir() (string, error) {
	if dir := Getenv("HOME"); dir != "" {
		return dir, nil
	}
	return "", errors.New("$HOME is not defined")
}

// UserCacheDir is where a user's caches go.
func UserCacheDir() (string, error) { return userDir("XDG_CACHE_HOME", "/.cache") }

// UserConfigDir is where a user's configuration goes.
func UserConfigDir() (string, error) { return userDir("XDG_CONFIG_HOME", "/.config") }

func userDir(name, below string) (string, error) {
	dir := Getenv(name)
	if dir == "" {
		dir = Getenv("HOME")
		if dir == "" {
			return "", errors.New("neither $" + name + " nor $HOME are defined")
		}
		return dir + below, nil
	}
	if dir[0] != '/' {
		return "", errors.New("path in $" + name + " is relative")
	}
	return dir, nil
}
