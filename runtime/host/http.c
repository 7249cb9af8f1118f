/* SPDX-License-Identifier: MIT */
/*
 * HTTP, by libmicrohttpd; see http.h.
 */
#include "runtime/host/http.h"

#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/throw.h"
#include "runtime/host/host_int.h"
#include "runtime/host/http_guard.h"

/* Above CROWD connections the oldest idle one makes room for a new one.  The
 * library accepts none at MAX_CONNECTIONS, which leaves time to close. */
enum {
    MAX_CONNECTIONS = 512,
    CROWD = 384,
    IDLE_SECONDS = 60,       /* without a byte in either direction */
    THREAD_STACK = 1 << 20,
    MAX_BODY = 1 << 20,
    BACKLOG = 512
};

/*
 * The library is loaded when a server starts: with all that it needs it would
 * make every start of the program longer by a quarter, and its memory larger
 * by half.
 */
#define MHD_FUNCTIONS(X)                                          \
    X(add_response_header) X(create_response_from_buffer)         \
    X(create_response_from_fd) X(destroy_response)                \
    X(get_connection_info) X(lookup_connection_value)             \
    X(queue_response) X(start_daemon) X(stop_daemon)

struct mhd {
#define X(name) __typeof__(MHD_##name) *name;
    MHD_FUNCTIONS(X)
#undef X
};

struct http_server {
    struct mhd mhd;
    struct vole *v;
    struct MHD_Daemon *daemon;
    int stop; /* eventfd: readable once the server stops */
    char own[256]; /* the host in -http's address, "" if it has none */
    struct host_conns conns;
};

/* One request while it is being received and answered. */
struct exchange {
    struct http_server *s;
    struct MHD_Connection *c;
    char *uri;   /* as sent */
    char *body;
    size_t n;
    bool begun, too_large;
};

/* ---- connections --------------------------------------------------------------- */

static int
socket_of(struct http_server *s, struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *info =
        s->mhd.get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);

    return info != NULL ? info->connect_fd : -1;
}

/* The library keeps *ctx for the connection's life. */
static void
on_connection(void *arg, struct MHD_Connection *c, void **ctx,
    enum MHD_ConnectionNotificationCode what)
{
    struct http_server *s = arg;

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        rt_assert(*ctx == NULL);
        *ctx = host_conns_add(&s->conns, socket_of(s, c));
    } else {
        host_conns_remove(&s->conns, *ctx);
        *ctx = NULL;
    }
}

static void
set_busy(struct http_server *s, struct MHD_Connection *c, bool busy)
{
    const union MHD_ConnectionInfo *info =
        s->mhd.get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    if (info != NULL)
        host_conns_busy(&s->conns, info->socket_context, busy);
}

/* ---- requests ------------------------------------------------------------------ */

/* The library calls this first; what it returns becomes the exchange. */
static void *
on_uri(void *arg, const char *uri, struct MHD_Connection *c)
{
    struct exchange *x = calloc(1, sizeof *x);

    if (x == NULL)
        return NULL;
    x->s = arg;
    x->c = c;
    x->uri = strdup(uri);
    return x;
}

static void
http_on_end(void *arg, struct MHD_Connection *c, void **req,
    enum MHD_RequestTerminationCode why)
{
    struct exchange *x = *req;

    (void)arg;
    (void)c;
    (void)why;
    if (x == NULL)
        return;
    free(x->uri);
    free(x->body);
    free(x);
    *req = NULL;
}

static const char *
arg_of(void *ctx, const char *name)
{
    struct exchange *x = ctx;
    const char *s =
        x->s->mhd.lookup_connection_value(x->c, MHD_GET_ARGUMENT_KIND, name);

    return s != NULL ? s : "";
}

static int64_t
now_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool
wait_for(void *ctx, double seconds)
{
    struct exchange *x = ctx;
    struct pollfd p[2] = {{.fd = x->s->stop, .events = POLLIN},
        {.fd = socket_of(x->s, x->c), .events = POLLRDHUP}};
    int64_t end, left;

    if (seconds > 1e9)
        seconds = 1e9;
    end = now_ms() + (int64_t)(seconds * 1000);
    while ((left = end - now_ms()) > 0) {
        int n = poll(p, 2, left > 1000000 ? 1000000 : (int)left);

        if (n > 0)
            return false;
        if (n < 0 && errno != EINTR)
            return false;
    }
    return true;
}

/* ---- answers -------------------------------------------------------------------- */

static void
header(const struct mhd *lib, struct MHD_Response *m, const char *name,
    const char *value)
{
    lib->add_response_header(m, name, value);
}

static struct MHD_Response *
response(const struct mhd *lib, struct http_reply *r)
{
    struct MHD_Response *m;

    /* One body, and none where there is nothing to hold. */
    rt_assert(r->fd < 0 || r->body == NULL);
    rt_assert(r->fd >= 0 || r->body != NULL || r->n == 0);
    if (r->fd >= 0) {
        m = lib->create_response_from_fd(r->n, r->fd);
        if (m == NULL)
            close(r->fd);
        return m;
    }
    m = lib->create_response_from_buffer(
        r->n, r->body, r->body != NULL ? MHD_RESPMEM_MUST_FREE :
                                         MHD_RESPMEM_PERSISTENT);
    if (m == NULL)
        free(r->body);
    return m;
}

static enum MHD_Result
answer(struct exchange *x, const struct http_request *q)
{
    struct http_reply r = {.status = 200, .fd = -1};
    const struct mhd *lib = &x->s->mhd;
    struct MHD_Response *m;
    enum MHD_Result res;
    char text[192];

    set_busy(x->s, x->c, true);
    host_page(x->s->v, q, &r);
    set_busy(x->s, x->c, false);
    rt_assert(r.status >= 200 && r.status < 600);
    m = r.hang_up ? NULL : response(lib, &r);
    if (m == NULL)
        return MHD_NO; /* closes the connection */
    header(lib, m, "X-Content-Type-Options", "nosniff");
    if (r.type != NULL)
        header(lib, m, "Content-Type", r.type);
    if (r.location != NULL)
        header(lib, m, "Location", r.location);
    if (r.allow != NULL)
        header(lib, m, "Allow", r.allow);
    if (r.profile_error)
        header(lib, m, "X-Go-Pprof", "1");
    if (r.file[0] != 0) {
        snprintf(text, sizeof text, "attachment; filename=\"%s\"", r.file);
        header(lib, m, "Content-Disposition", text);
    }
    res = lib->queue_response(x->c, (unsigned)r.status, m);
    lib->destroy_response(m);
    return res;
}

static const char *
sent(const struct exchange *x, const char *header)
{
    return x->s->mhd.lookup_connection_value(x->c, MHD_HEADER_KIND, header);
}

static const char *
refusal(const struct exchange *x)
{
    const struct host_asker q = {.host = sent(x, "Host"),
        .origin = sent(x, "Origin"),
        .fetch_site = sent(x, "Sec-Fetch-Site"),
        .fetch_dest = sent(x, "Sec-Fetch-Dest")};
    union {
        struct sockaddr sa;
        struct sockaddr_storage room;
    } local;
    socklen_t n = sizeof local;
    bool known = getsockname(socket_of(x->s, x->c), &local.sa, &n) == 0;

    return host_http_refusal(&q, x->s->own, known ? &local.sa : NULL);
}

static enum MHD_Result
refuse(struct exchange *x, const char *why)
{
    const struct mhd *lib = &x->s->mhd;
    char text[192];
    size_t n = (size_t)snprintf(text, sizeof text, "%s\n", why);
    struct MHD_Response *m =
        lib->create_response_from_buffer(n, text, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result res;

    if (m == NULL)
        return MHD_NO;
    header(lib, m, "Content-Type", "text/plain; charset=utf-8");
    header(lib, m, "X-Content-Type-Options", "nosniff");
    res = lib->queue_response(x->c, 403, m);
    lib->destroy_response(m);
    return res;
}

static void
more_body(struct exchange *x, const char *data, size_t n)
{
    char *p;

    rt_assert(x->n <= MAX_BODY && (x->n == 0 || x->body[x->n] == 0));
    if (x->too_large || x->n + n > MAX_BODY) {
        x->too_large = true;
        return;
    }
    p = realloc(x->body, x->n + n + 1);
    if (p == NULL) {
        x->too_large = true;
        return;
    }
    memcpy(p + x->n, data, n);
    x->body = p;
    x->n += n;
    x->body[x->n] = 0;
}

static enum MHD_Result
on_request(void *arg, struct MHD_Connection *c, const char *path,
    const char *method, const char *version, const char *data, size_t *ndata,
    void **req)
{
    struct exchange *x = *req;
    struct http_request q = {0};
    const char *query, *why;

    (void)arg;
    (void)c;
    (void)version;
    if (x == NULL || x->uri == NULL)
        return MHD_NO;
    if (!x->begun) { /* the header; a body may follow */
        x->begun = true;
        why = refusal(x);
        return why != NULL ? refuse(x, why) : MHD_YES;
    }
    if (*ndata > 0) {
        more_body(x, data, *ndata);
        *ndata = 0;
        return MHD_YES;
    }
    if (x->too_large)
        return MHD_NO;
    query = strchr(x->uri, '?');
    q.method = method;
    q.path = path;
    q.query = query != NULL ? query + 1 : "";
    q.body = x->body != NULL ? x->body : "";
    q.nbody = x->n;
    q.arg = arg_of;
    q.wait = wait_for;
    q.ctx = x;
    return answer(x, &q);
}

/* ---- listening ------------------------------------------------------------------- */

static bool
http_failed(struct vole *v, const char *addr, const char *why)
{
    host_log(v, "-http %s: %s", addr, why);
    return false;
}

/* Cuts addr into host and port. */
static bool
split(const char *addr, char *host, size_t n, const char **port)
{
    const char *colon = strrchr(addr, ':'), *h = addr;
    size_t k;

    if (colon == NULL)
        return false;
    k = (size_t)(colon - addr);
    if (k >= 2 && h[0] == '[' && h[k - 1] == ']') {
        h++;
        k -= 2;
    } else if (memchr(h, ':', k) != NULL) {
        return false; /* an IPv6 address without brackets */
    }
    if (k >= n || colon[1] == 0)
        return false;
    rt_assert(h >= addr && h + k <= colon);
    memcpy(host, h, k);
    host[k] = 0;
    *port = colon + 1;
    return true;
}

/* getaddrinfo() takes any number modulo 65536. */
static bool
port_fits(const char *port)
{
    char *end;
    unsigned long n = strtoul(port, &end, 10);

    return *end != 0 || (n <= 65535 && *port != '-' && *port != '+');
}

static int
listen_on(const struct addrinfo *a)
{
    int one = 1, err;
    int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    err = errno;
    close(fd);
    errno = err;
    return -1;
}

static int
open_socket(const char *addr, const char **why)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
        .ai_flags = AI_PASSIVE}, *list, *a;
    const char *port;
    char host[256];
    int fd = -1, err;

    if (!split(addr, host, sizeof host, &port)) {
        *why = "address is not host:port or :port";
        return -1;
    }
    if (!port_fits(port)) {
        *why = "invalid port";
        return -1;
    }
    err = getaddrinfo(host[0] != 0 ? host : "127.0.0.1", port, &hints, &list);
    if (err != 0) {
        *why = gai_strerror(err);
        return -1;
    }
    for (a = list; a != NULL && fd < 0; a = a->ai_next)
        fd = listen_on(a);
    *why = strerror(errno);
    freeaddrinfo(list);
    return fd;
}

/* For port 0: where it is. */
static void
tell_port(struct vole *v, int fd)
{
    union {
        struct sockaddr sa;
        struct sockaddr_storage room;
    } u;
    socklen_t n = sizeof u;
    char host[64], port[16];

    if (getsockname(fd, &u.sa, &n) != 0 || getnameinfo(&u.sa, n, host,
            sizeof host, port, sizeof port,
            NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return;
    if (strchr(host, ':') != NULL)
        host_log(v, "profiles at http://[%s]:%s/debug/pprof/", host, port);
    else
        host_log(v, "profiles at http://%s:%s/debug/pprof/", host, port);
}

static bool
wants_any_port(const char *addr)
{
    const char *port = strrchr(addr, ':');

    return port != NULL && port[1 + strspn(port + 1, "0")] == 0;
}

/* The daemon's threads take no signals. */
static struct MHD_Daemon *
start_daemon(struct http_server *s, int fd)
{
    struct MHD_Daemon *d;
    sigset_t all, old;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    d = s->mhd.start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
                                MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ITC,
        0, NULL, NULL, on_request, s, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_URI_LOG_CALLBACK, on_uri, s, MHD_OPTION_NOTIFY_COMPLETED,
        http_on_end, s, MHD_OPTION_NOTIFY_CONNECTION, on_connection, s,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)THREAD_STACK, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return d;
}

/* The library stays loaded: its threads may outlive their last call by a
 * moment. */
static bool
load_microhttpd(struct mhd *lib)
{
    void *so = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);

    if (so == NULL)
        return false;
#define X(name)                                                   \
    lib->name = (__typeof__(lib->name))dlsym(so, "MHD_" #name);   \
    if (lib->name == NULL)                                        \
        return false;
    MHD_FUNCTIONS(X)
#undef X
    return true;
}

bool
host_http_start(struct vole *v, const char *addr)
{
    const char *why = NULL, *port;
    int fd = open_socket(addr, &why);
    struct http_server *s;

    rt_assert(v->http == NULL && v->sched != NULL);
    if (fd < 0)
        return http_failed(v, addr, why);
    s = calloc(1, sizeof *s);
    if (s == NULL) {
        close(fd);
        return http_failed(v, addr, "out of memory");
    }
    if (!load_microhttpd(&s->mhd)) {
        close(fd);
        free(s);
        return http_failed(v, addr, "cannot load libmicrohttpd.so.12");
    }
    s->v = v;
    split(addr, s->own, sizeof s->own, &port);
    host_conns_init(&s->conns, CROWD);
    s->stop = eventfd(0, EFD_CLOEXEC);
    s->daemon = s->stop >= 0 ? start_daemon(s, fd) : NULL;
    if (s->daemon == NULL) {
        close(fd);
        if (s->stop >= 0)
            close(s->stop);
        host_conns_fini(&s->conns);
        free(s);
        return http_failed(v, addr, "cannot start the server");
    }
    v->http = s;
    if (wants_any_port(addr))
        tell_port(v, fd);
    return true;
}

void
host_http_stop(struct vole *v)
{
    struct http_server *s = v->http;
    uint64_t one = 1;
    ssize_t n;

    if (s == NULL)
        return;
    rt_assert(s->v == v && s->daemon != NULL);
    v->http = NULL;
    n = write(s->stop, &one, sizeof one);
    (void)n;
    s->mhd.stop_daemon(s->daemon);
    close(s->stop);
    host_conns_fini(&s->conns);
    free(s);
}
