/* SPDX-License-Identifier: MIT */
/*
 * Addresses by libcurl, which is loaded when the first is asked for: programs
 * that fetch nothing do not pay for it.
 */
#include "cmd/vole/fetch.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/vole.h"

enum { BODY_MAX = 1 << 29 }; /* bytes: Go's limit for a module is 500 MB */

#define CURL_FUNCTIONS(X)                                                    \
    X(easy_init) X(easy_setopt) X(easy_perform) X(easy_getinfo)              \
    X(easy_strerror) X(easy_cleanup)

struct fetch {
    void *so;
    CURL *easy;
    char why[CURL_ERROR_SIZE];
#define X(name) __typeof__(curl_##name) *name;
    CURL_FUNCTIONS(X)
#undef X
};

/* The header checks the types of arguments by macros of these names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

static bool
load(struct fetch *f)
{
    f->so = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (f->so == NULL)
        return false;
#define X(name)                                                              \
    f->name = (__typeof__(f->name))dlsym(f->so, "curl_" #name);              \
    if (f->name == NULL)                                                     \
        return false;
    CURL_FUNCTIONS(X)
#undef X
    f->easy = f->easy_init();
    return f->easy != NULL;
}

struct fetch *
fetch_new(struct rt_err *err)
{
    struct fetch *f = calloc(1, sizeof *f);

    if (f == NULL) {
        rt_errf(err, RT_ENOMEM, UINT64_MAX, "out of memory");
        return NULL;
    }
    if (!load(f)) {
        rt_errf(err, RT_EUNSUP, UINT64_MAX,
            "cannot fetch anything: libcurl.so.4 is not there; Debian has it "
            "in the package libcurl4");
        fetch_free(f);
        return NULL;
    }
    f->easy_setopt(f->easy, CURLOPT_FOLLOWLOCATION, 1L);
    f->easy_setopt(f->easy, CURLOPT_MAXREDIRS, 10L);
    f->easy_setopt(f->easy, CURLOPT_NOSIGNAL, 1L);
    f->easy_setopt(f->easy, CURLOPT_CONNECTTIMEOUT, 30L);
    f->easy_setopt(f->easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    f->easy_setopt(f->easy, CURLOPT_LOW_SPEED_TIME, 60L);
    f->easy_setopt(f->easy, CURLOPT_PROTOCOLS_STR, "http,https,file");
    f->easy_setopt(f->easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    f->easy_setopt(f->easy, CURLOPT_USERAGENT, "vole/" VOLE_VERSION);
    f->easy_setopt(f->easy, CURLOPT_ERRORBUFFER, f->why);
    return f;
}

void
fetch_free(struct fetch *f)
{
    if (f == NULL)
        return;
    if (f->easy != NULL)
        f->easy_cleanup(f->easy);
    if (f->so != NULL)
        dlclose(f->so);
    free(f);
}

struct body {
    unsigned char *p;
    size_t n, cap;
};

static size_t
receive(char *data, size_t size, size_t count, void *arg)
{
    struct body *b = arg;
    size_t n = size * count;

    if (n > BODY_MAX - b->n)
        return 0;
    if (b->n + n > b->cap) {
        size_t cap = (b->n + n) * 2;
        unsigned char *p = realloc(b->p, cap);

        if (p == NULL)
            return 0;
        b->p = p;
        b->cap = cap;
    }
    memcpy(b->p + b->n, data, n);
    b->n += n;
    return n;
}

enum rt_status
fetch_url(struct fetch *f, const char *url, unsigned char **data, size_t *len,
    struct rt_err *err)
{
    struct body b = {0};
    long code = 0;
    CURLcode r;

    f->why[0] = 0;
    f->easy_setopt(f->easy, CURLOPT_URL, url);
    f->easy_setopt(f->easy, CURLOPT_WRITEFUNCTION, receive);
    f->easy_setopt(f->easy, CURLOPT_WRITEDATA, &b);
    r = f->easy_perform(f->easy);
    f->easy_getinfo(f->easy, CURLINFO_RESPONSE_CODE, &code);
    if (r == CURLE_OK && (code == 200 || code == 0)) {
        *data = b.p;
        *len = b.n;
        return RT_OK;
    }
    free(b.p);
    if (code == 404 || code == 410 || r == CURLE_FILE_COULDNT_READ_FILE)
        return rt_errf(err, RT_EOF, UINT64_MAX, "%s: not found", url);
    if (r == CURLE_OK)
        return rt_errf(err, RT_EIO, UINT64_MAX, "%s: status %ld", url, code);
    return rt_errf(err, RT_EIO, UINT64_MAX, "%s: %s", url,
        f->why[0] != 0 ? f->why : f->easy_strerror(r));
}
