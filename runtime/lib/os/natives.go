// SPDX-License-Identifier: MIT

package os

// Natives return an error number, 0 if all went well. Those that write may
// write less, then, than they were given.

func open(name string, flag, perm int) (fd, errno int)
func closefd(fd int) (errno int)
func read(fd int, b []byte) (n, errno int)
func pread(fd int, b []byte, off int64) (n, errno int)
func write(fd int, b []byte) (n, errno int)
func writeString(fd int, s string) (n, errno int)
func pwrite(fd int, b []byte, off int64) (n, errno int)
func seek(fd int, off int64, whence int) (pos int64, errno int)
func fsync(fd int) (errno int)
func ftruncate(fd int, size int64) (errno int)
func fchmod(fd int, mode int) (errno int)
func fchdir(fd int) (errno int)
func fstat(fd int, st *rawStat) (errno int)
func stat(name string, follow bool, st *rawStat) (errno int)
func getdents(fd int, b []byte) (n, errno int)

func mkdir(name string, mode int) (errno int)
func unlink(name string) (errno int)
func rmdir(name string) (errno int)
func rename(old, new string) (errno int)
func link(old, new string) (errno int)
func symlink(old, new string) (errno int)
func readlink(name string) (s string, errno int)
func truncate(name string, size int64) (errno int)
func chmod(name string, mode int) (errno int)
func chdir(name string) (errno int)
func chown(name string, uid, gid int) (errno int)
func lchown(name string, uid, gid int) (errno int)
func fchown(fd int, uid, gid int) (errno int)

// utimes sets the times of a file, each in seconds and nanoseconds; it stays
// as it is where the nanoseconds are negative.
func utimes(name string, asec, ansec, msec, mnsec int64) (errno int)
func getgroups() (groups []int, errno int)
func getwd() (s string, errno int)
func pipe() (r, w, errno int)

func args() []string
func exit(code int)
func getenv(key string) (v string, ok bool)
func setenv(key, v string) (errno int)
func unsetenv(key string) (errno int)
func environ() []string
func hostname() (s string, errno int)

// id is one of getpid, getppid, getuid, geteuid, getgid, getegid and
// getpagesize, by number.
func id(which int) int

// random is a random number for names of temporary files.
func random() uint32

// startProcess runs a program; -1 among files is a closed one. root is where
// the program's tree of files begins, if it is not empty.
func startProcess(name string, argv, env []string, dir, root string, files []int,
	groups []int, setGroups bool, attr *processAttr) (pid, errno int)

// awaitProcess waits until a process has ended; reapProcess then takes its
// status, and the microseconds that it has run.
func awaitProcess(pid int) (errno int)
func reapProcess(pid int) (status int, user, system int64, errno int)
func kill(pid, sig int) (errno int)
