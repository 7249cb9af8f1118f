/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_UNZIP_H
#define RUNTIME_LANG_LOAD_UNZIP_H

/*
 * The zip files of modules, from strangers: what is in them is checked against
 * their size, and no name leads out of the folder.  Stored and deflated
 * entries, without zip64.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/err.h"

struct rt_arena;

struct unzip_entry {
    const char *name; /* with its folders; those that end in / are folders */
    const uint8_t *data; /* in the zip, packed bytes of it */
    uint32_t packed, size, crc;
    bool deflated;
};

/* The entries of a zip in memory, *n of them, in the arena, sorted by name;
 * names are relative, clean and each there once.  RT_EFORMAT: it is damaged. */
enum rt_status unzip_list(struct rt_arena *a, const uint8_t *zip, size_t len,
    struct unzip_entry **entries, unsigned *n, struct rt_err *err);

/* Unpacks an entry into e->size bytes at out, and checks its sum. */
enum rt_status unzip_read(
    const struct unzip_entry *e, uint8_t *out, struct rt_err *err);

#endif
