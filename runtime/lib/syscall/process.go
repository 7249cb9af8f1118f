// SPDX-License-Identifier: MIT

package syscall

// SysProcAttr says what a new process is besides what os.ProcAttr says.
type SysProcAttr struct {
	Chroot     string
	Credential *Credential
	Setsid     bool // it leads a session
	Setpgid    bool // it is of the process group Pgid, or leads one
	Setctty    bool // Ctty is the terminal of its session
	Noctty     bool // its descriptor 0 is no longer that
	Ctty       int
	Pgid       int
	Pdeathsig  Signal // which it gets when its parent dies

	// Package os does none of these.
	Ptrace                     bool
	Foreground                 bool
	Cloneflags                 uintptr
	Unshareflags               uintptr
	UidMappings                []SysProcIDMap
	GidMappings                []SysProcIDMap
	GidMappingsEnableSetgroups bool
	AmbientCaps                []uintptr
	UseCgroupFD                bool
	CgroupFD                   int

	PidFD *int // where a descriptor of the process is stored: -1, there is none
}

// A SysProcIDMap is a range of users of a name space.
type SysProcIDMap struct {
	ContainerID int
	HostID      int
	Size        int
}

// A Credential is who a new process is.
type Credential struct {
	Uid         uint32
	Gid         uint32
	Groups      []uint32
	NoSetGroups bool
}

// A Timeval is a time in seconds and microseconds.
type Timeval struct {
	Sec  int64
	Usec int64
}

func (tv *Timeval) Unix() (sec int64, nsec int64) { return tv.Sec, tv.Usec * 1000 }
func (tv *Timeval) Nano() int64                   { return tv.Sec*1e9 + tv.Usec*1000 }

// A Timespec is a time in seconds and nanoseconds.
type Timespec struct {
	Sec  int64
	Nsec int64
}

func (ts *Timespec) Unix() (sec int64, nsec int64) { return ts.Sec, ts.Nsec }
func (ts *Timespec) Nano() int64                   { return ts.Sec*1e9 + ts.Nsec }

// Stat_t is what the system knows of a file, and os.FileInfo has in Sys.
type Stat_t struct {
	Dev       uint64
	Ino       uint64
	Nlink     uint64
	Mode      uint32
	Uid       uint32
	Gid       uint32
	X__pad0   int32
	Rdev      uint64
	Size      int64
	Blksize   int64
	Blocks    int64
	Atim      Timespec
	Mtim      Timespec
	Ctim      Timespec
	X__unused [3]int64
}

// Rusage is what a process has used.
type Rusage struct {
	Utime    Timeval
	Stime    Timeval
	Maxrss   int64
	Ixrss    int64
	Idrss    int64
	Isrss    int64
	Minflt   int64
	Majflt   int64
	Nswap    int64
	Inblock  int64
	Oublock  int64
	Msgsnd   int64
	Msgrcv   int64
	Nsignals int64
	Nvcsw    int64
	Nivcsw   int64
}

// A WaitStatus is how a process has ended: the signal in the low seven bits,
// 127 there if it has only stopped, the exit status above bit 8.
type WaitStatus uint32

func (w WaitStatus) Exited() bool    { return w&0x7f == 0 }
func (w WaitStatus) Stopped() bool   { return w&0xff == 0x7f }
func (w WaitStatus) Continued() bool { return w == 0xffff }
func (w WaitStatus) Signaled() bool  { return w&0x7f != 0 && w&0x7f != 0x7f }
func (w WaitStatus) CoreDump() bool  { return w.Signaled() && w&0x80 != 0 }

// ExitStatus is -1 if it has not exited.
func (w WaitStatus) ExitStatus() int {
	if !w.Exited() {
		return -1
	}
	return int(w>>8) & 0xff
}

// Signal is -1 if none has ended it.
func (w WaitStatus) Signal() Signal {
	if !w.Signaled() {
		return -1
	}
	return Signal(w & 0x7f)
}

// StopSignal is -1 if it has not stopped.
func (w WaitStatus) StopSignal() Signal {
	if !w.Stopped() {
		return -1
	}
	return Signal(w>>8) & 0xff
}

// TrapCause is which event has stopped a process that is traced.
func (w WaitStatus) TrapCause() int {
	if w.StopSignal() != SIGTRAP {
		return -1
	}
	return int(w>>8) >> 8
}
