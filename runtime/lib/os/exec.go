// SPDX-License-Identifier: MIT

package os

import (
	"errors"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// ProcAttr says how a process starts.
type ProcAttr struct {
	Dir   string   // where; "" is where the parent is
	Env   []string // nil is the parent's
	Files []*File  // its descriptors from 0 on; nil is a closed one
	Sys   *syscall.SysProcAttr
}

// processAttr is what the native takes of a SysProcAttr.
type processAttr struct {
	setsid, setpgid, pgid, setctty, noctty, ctty, deathsig int
	credential, uid, gid                                   int
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A Process is one that StartProcess has started, or FindProcess was asked
// for.
type Process struct {
	Pid   int
	sigMu sync.RWMutex // read while a signal is sent
	state processState // guarded by lock
	lock  sync.Mutex
}

type processState int

const (
	processRuns processState = iota
	processDone
	processReleased
)

const pidReleased = -1

var errReleased = errors.New("os: process already released")

// startsAgain reports whether the file is the script by which vole test starts
// the tests again. To a script the system passes its path and not what it is
// called, which a test may ask for.
func startsAgain(file string) bool {
	const dir, end = "/vole-test-", ".test"
	if len(file) < len(end) || file[len(file)-len(end):] != end {
		return false
	}
	for i := 0; i+len(dir) <= len(file); i++ {
		if file[i:i+len(dir)] == dir {
			return true
		}
	}
	return false
}

// StartProcess starts a program with these arguments, the first of which is
// its name. Package os/exec is easier to use.
func StartProcess(name string, argv []string, attr *ProcAttr) (*Process, error) {
	if attr == nil {
		attr = &ProcAttr{}
	}
	if attr.Sys == nil && attr.Dir != "" {
		if _, err := Stat(attr.Dir); err != nil {
			err.(*PathError).Op = "chdir"
			return nil, err
		}
	}
	env := attr.Env
	if env == nil {
		env = Environ()
	}
	if len(argv) > 0 && argv[0] != name && startsAgain(name) {
		env = append(env[:len(env):len(env)], "VOLE_ARG0="+argv[0])
	}
	files := make([]int, len(attr.Files))
	for i, f := range attr.Files {
		files[i] = int(f.Fd())
	}
	sys := attr.Sys
	if sys == nil {
		sys = &syscall.SysProcAttr{}
	}
	if sys.Ptrace || sys.Foreground || sys.Cloneflags != 0 || sys.Unshareflags != 0 ||
		sys.UidMappings != nil || sys.GidMappings != nil || sys.AmbientCaps != nil || sys.UseCgroupFD {
		return nil, &PathError{Op: "fork/exec", Path: name, Err: syscall.ENOTSUP}
	}
	if sys.PidFD != nil {
		*sys.PidFD = -1
	}
	a := processAttr{
		setsid: asInt(sys.Setsid), setpgid: asInt(sys.Setpgid), pgid: sys.Pgid,
		setctty: asInt(sys.Setctty), noctty: asInt(sys.Noctty), ctty: sys.Ctty,
		deathsig: int(sys.Pdeathsig),
	}
	var groups []int
	setGroups := false
	if c := sys.Credential; c != nil {
		a.credential, a.uid, a.gid = 1, int(c.Uid), int(c.Gid)
		setGroups = !c.NoSetGroups
		for _, g := range c.Groups {
			groups = append(groups, int(g))
		}
	}
	for _, list := range [][]string{{name, attr.Dir, sys.Chroot}, argv, env} {
		for _, s := range list {
			for i := 0; i < len(s); i++ {
				if s[i] == 0 {
					return nil, &PathError{Op: "fork/exec", Path: name, Err: syscall.EINVAL}
				}
			}
		}
	}
	pid, errno := startProcess(name, argv, env, attr.Dir, sys.Chroot, files,
		groups, setGroups, &a)
	if errno != 0 {
		return nil, pathError("fork/exec", name, errno)
	}
	return &Process{Pid: pid}, nil
}

// FindProcess is the process of that number; it need not exist.
func FindProcess(pid int) (*Process, error) {
	p := &Process{Pid: pid}
	if kill(pid, 0) == int(syscall.ESRCH) {
		p.state = processDone
	}
	return p, nil
}

func (p *Process) current() processState {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.state
}

// become sets the state unless the process is over.
func (p *Process) become(s processState) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.state == processRuns {
		p.state = s
	}
}

// Release gives up what belongs to p, which cannot be used any more.
func (p *Process) Release() error {
	p.Pid = pidReleased
	p.become(processReleased)
	return nil
}

// Kill ends the process at once.
func (p *Process) Kill() error { return p.Signal(Kill) }

// Signal sends a signal to the process.
func (p *Process) Signal(sig Signal) error {
	s, ok := sig.(syscall.Signal)
	if !ok {
		return errors.New("os: unsupported signal type")
	}
	if p.Pid == 0 {
		return errors.New("os: process not initialized")
	}
	p.sigMu.RLock()
	defer p.sigMu.RUnlock()
	switch p.current() {
	case processDone:
		return ErrProcessDone
	case processReleased:
		return errReleased
	}
	switch errno := kill(p.Pid, int(s)); errno {
	case 0:
		return nil
	case int(syscall.ESRCH):
		return ErrProcessDone
	default:
		return syscall.Errno(errno)
	}
}

// Wait waits until the process, a child, has ended.
func (p *Process) Wait() (*ProcessState, error) {
	if p == nil {
		return nil, syscall.EINVAL
	}
	switch p.current() {
	case processDone:
		return nil, NewSyscallError("wait", syscall.ECHILD)
	case processReleased:
		return nil, syscall.EINVAL
	}
	if errno := awaitProcess(p.Pid); errno != 0 {
		return nil, NewSyscallError("wait", syscall.Errno(errno))
	}
	// From here on nobody sends a signal to whoever gets the number next.
	p.become(processDone)
	p.sigMu.Lock()
	p.sigMu.Unlock()
	status, user, system, errno := reapProcess(p.Pid)
	if errno != 0 {
		return nil, NewSyscallError("wait", syscall.Errno(errno))
	}
	return &ProcessState{p.Pid, syscall.WaitStatus(status), user, system}, nil
}

// WithHandle calls f with a handle of the process; there is none here.
func (p *Process) WithHandle(f func(handle uintptr)) error { return ErrNoHandle }

// A ProcessState is what an ended process has left.
type ProcessState struct {
	pid          int
	status       syscall.WaitStatus
	user, system int64 // microseconds
}

func (p *ProcessState) Pid() int      { return p.pid }
func (p *ProcessState) Exited() bool  { return p.status.Exited() }
func (p *ProcessState) Success() bool { return p.status.ExitStatus() == 0 }
func (p *ProcessState) Sys() any      { return p.status }

// SysUsage is the resources that the process has used, a *syscall.Rusage; of
// those only the times are known.
func (p *ProcessState) SysUsage() any {
	time := func(us int64) syscall.Timeval {
		return syscall.Timeval{Sec: us / 1e6, Usec: us % 1e6}
	}
	return &syscall.Rusage{Utime: time(p.user), Stime: time(p.system)}
}

func (p *ProcessState) UserTime() time.Duration {
	return time.Duration(p.user) * time.Microsecond
}

func (p *ProcessState) SystemTime() time.Duration {
	return time.Duration(p.system) * time.Microsecond
}

// ExitCode is the process's exit status, -1 if a signal has ended it.
func (p *ProcessState) ExitCode() int {
	if p == nil {
		return -1
	}
	return p.status.ExitStatus()
}

func (p *ProcessState) String() string {
	if p == nil {
		return "<nil>"
	}
	s := ""
	switch w := p.status; {
	case w.Exited():
		s = "exit status " + strconv.Itoa(w.ExitStatus())
	case w.Signaled():
		s = "signal: " + w.Signal().String()
	}
	if p.status.CoreDump() {
		s += " (core dumped)"
	}
	return s
}
