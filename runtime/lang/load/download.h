/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_DOWNLOAD_H
#define RUNTIME_LANG_LOAD_DOWNLOAD_H

/*
 * Brings the modules that a go.mod needs into Go's module cache, from the
 * proxies of GOPROXY, and nothing that go.sum does not know.  How bytes come
 * from an address is the caller's business.
 */

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/err.h"
#include "runtime/lang/load/goenv.h"
#include "runtime/lang/load/modset.h"

/* Gets what is at an address into malloc'ed memory.  RT_EOF: the server says
 * that there is nothing (404, 410). */
typedef enum rt_status (*download_fn)(void *ctx, const char *url,
    unsigned char **data, size_t *len, struct rt_err *err);

struct download_options {
    goenv_fn env;
    download_fn fetch;
    void (*say)(void *ctx, const char *line); /* what is fetched; or NULL */
    void *ctx;     /* of both */
    bool add_sums; /* write what go.sum lacks into it, instead of refusing */
};

struct download;

/* Opens the modules of the go.mod in the folder dir, or above it, or none where
 * there is no go.mod, so that what
 * they need and is not in the cache is fetched when it is asked for.  The
 * options must stay as long as s does. */
enum rt_status download_attach(struct modset *s, const char *dir,
    const struct download_options *o, struct download **out,
    struct rt_err *err);

/* Whether all that was asked for was fetched; if not, the err of
 * download_attach() says why. */
enum rt_status download_status(const struct download *d);

/* The same as a text, NULL where all was fetched, after which it counts as
 * if it were. */
const char *download_forgive(struct download *d);

/* What the proxies say of a module: "@v/list", "@latest", "@v/v1.2.info".
 * RT_EOF: they know nothing of it. */
enum rt_status download_ask(struct download *d, const char *path,
    const char *tail, const char **text);

/* What a version's .info says, from the cache or a proxy; NULL. */
const char *download_info(struct download *d, const struct module_version *m);

/* The modules of the go.mod in the folder dir or above it. */
enum rt_status download_modules(
    const char *dir, const struct download_options *o, struct rt_err *err);

#endif
