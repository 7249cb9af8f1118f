/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_PATHS_H
#define RUNTIME_LANG_LOAD_PATHS_H

/*
 * Names of files, and lists of texts, as the finding of packages needs them.
 * All memory is the arena's, whose nomem must be set: no function here returns
 * for want of memory.
 */

#include <stdbool.h>
#include <stddef.h>

struct rt_arena;

/* A list that grows; zeroed memory is an empty one. */
struct paths_list {
    const char **at;
    unsigned n, cap;
};

/* Appends s, which is not copied. */
void paths_push(struct rt_arena *a, struct paths_list *l, const char *s);

/* All of them, one behind the other. */
char *paths_concat(struct rt_arena *a, const struct paths_list *l);

/* Is s among them? */
bool paths_has(const struct paths_list *l, const char *s);

/* In the order of their bytes. */
void paths_sort(struct paths_list *l);

/* A copy of s. */
char *paths_dup(struct rt_arena *a, const char *s);

/* The path without "." and "..", double and last slashes; "." if nothing is
 * left. */
char *paths_clean(struct rt_arena *a, const char *path);

/* dir/name, cleaned; name alone if dir is "" or name is absolute. */
char *paths_join(struct rt_arena *a, const char *dir, const char *name);

/* The working directory, "/" if there is none. */
char *paths_cwd(struct rt_arena *a);

/* What is left of path behind dir/, "" if they are the same; NULL if path
 * does not lie in dir.  Both are clean. */
const char *paths_under(const char *dir, const char *path);

/* Makes the folders above a file or folder.  Where that fails, what is to be
 * done there does. */
void paths_make_above(const char *path);

/* The clean, absolute path as seen from the clean, absolute folder base: with
 * ".." only where that is shorter.  A relative one stays what it is. */
const char *paths_rel(
    struct rt_arena *a, const char *base, const char *path);

/* The folder that a clean path lies in. */
char *paths_dir(struct rt_arena *a, const char *path);

bool paths_is_dir(const char *path);
bool paths_is_file(const char *path);

/* Maps a regular file of at least that many bytes, read-only; *size are what it
 * has, for munmap().  NULL: there is none. */
void *paths_map(const char *path, size_t least, size_t *size);
bool paths_exists(const char *path);
bool paths_starts(const char *s, const char *head);
bool paths_ends(const char *s, const char *tail);

/* Does one of the comma-separated shell patterns fit the path or its first
 * elements?  As in GOPRIVATE. */
bool paths_globs(const char *patterns, const char *path);

/* All of a file, with a 0 behind; NULL with errno set if it cannot be read. */
char *paths_read(struct rt_arena *a, const char *path, size_t *len);

/* The text of an errno as Go has it. */
const char *paths_error(struct rt_arena *a, int err);

/* The names in a folder, sorted, without "." and ".."; false with errno. */
bool paths_entries(
    struct rt_arena *a, const char *dir, struct paths_list *out);

#endif
