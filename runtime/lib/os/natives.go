// SPDX-License-Identifier: MIT

package os

import "syscall"

// Natives return an error number, 0 if all went well. Those that write may
// write less, then, than they were given.

// open also tells whether it is worth asking to wait for the file: it is no
// regular one.
//
//race:none
func open(name string, flag, perm int) (fd int, pollable bool, errno int)

//race:none
func closefd(fd int) (errno int)

//go:noescape
//race:writes b[:n], io in
func read(fd int, b []byte) (n, errno int)

//go:noescape
//race:writes b[:n], io in
func pread(fd int, b []byte, off int64) (n, errno int)

//go:noescape
//race:reads b, io out
func write(fd int, b []byte) (n, errno int)

//race:io out
func writeString(fd int, s string) (n, errno int)

//go:noescape
//race:reads b, io out
func pwrite(fd int, b []byte, off int64) (n, errno int)

//race:none
func seek(fd int, off int64, whence int) (pos int64, errno int)

//race:none
func fsync(fd int) (errno int)

//race:none
func ftruncate(fd int, size int64) (errno int)

//race:none
func fchmod(fd int, mode int) (errno int)

//race:none
func fchdir(fd int) (errno int)

//go:noescape
//race:writes st
func fstat(fd int, st *syscall.Stat_t) (errno int)

//go:noescape
//race:writes st
func stat(name string, follow bool, st *syscall.Stat_t) (errno int)

//go:noescape
//race:writes b[:n]
func getdents(fd int, b []byte) (n, errno int)

//race:none
func mkdir(name string, mode int) (errno int)

//race:none
func unlink(name string) (errno int)

//race:none
func rmdir(name string) (errno int)

//race:none
func rename(old, new string) (errno int)

//race:none
func link(old, new string) (errno int)

//race:none
func symlink(old, new string) (errno int)

//race:none
func readlink(name string) (s string, errno int)

//race:none
func truncate(name string, size int64) (errno int)

//race:none
func chmod(name string, mode int) (errno int)

//race:none
func chdir(name string) (errno int)

//race:none
func chown(name string, uid, gid int) (errno int)

//race:none
func lchown(name string, uid, gid int) (errno int)

//race:none
func fchown(fd int, uid, gid int) (errno int)

// utimes sets the times of a file, each in seconds and nanoseconds; it stays
// as it is where the nanoseconds are negative.
//
//race:none
func utimes(name string, asec, ansec, msec, mnsec int64) (errno int)

//race:none
func getgroups() (groups []int, errno int)

//race:none
func getwd() (s string, errno int)

// status is the flags that the descriptor was opened with.
//
//race:none
func status(fd int) (flags, errno int)

//race:none
func setNonblock(fd int, on bool) (errno int)

//race:none
func pipe() (r, w, errno int)

//race:none
func args() []string

// godebug is the settings of GODEBUG that the program has by default.
//
//race:none
func godebug() string

// setGodebug tells the runtime what GODEBUG says now.
//
//race:none
func setGodebug(value string)

//race:none
func exit(code int)

//race:none
func getenv(key string) (v string, ok bool)

//race:none
func setenv(key, v string) (errno int)

//race:none
func unsetenv(key string) (errno int)

//race:none
func environ() []string

//race:none
func hostname() (s string, errno int)

// id is one of getpid, getppid, getuid, geteuid, getgid, getegid and
// getpagesize, by number.
//
//race:none
func id(which int) int

// random is a random number for names of temporary files.
//
//race:none
func random() uint32

// startProcess runs a program; -1 among files is a closed one. root is where
// the program's tree of files begins, if it is not empty.
//
//race:reads argv, reads env, reads files, reads groups, reads attr
func startProcess(name string, argv, env []string, dir, root string, files []int,
	groups []int, setGroups bool, attr *processAttr) (pid, errno int)

// awaitProcess waits until a process has ended; reapProcess then takes its
// status, and the microseconds that it has run.
//
//race:none
func awaitProcess(pid int) (errno int)

//race:none
func reapProcess(pid int) (status int, user, system int64, errno int)

//race:none
func kill(pid, sig int) (errno int)
