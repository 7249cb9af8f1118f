/* SPDX-License-Identifier: MIT */
/* Who may ask the live server, and which connection makes room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "runtime/host/http_guard.h"

static const char *
ask(const char *host, const char *origin, const char *own)
{
    struct sockaddr_in local = {.sin_family = AF_INET};
    struct sockaddr sa;
    struct host_asker q = {.host = host, .origin = origin};

    inet_pton(AF_INET, "192.168.7.9", &local.sin_addr);
    memcpy(&sa, &local, sizeof sa);
    return host_http_refusal(&q, own, &sa);
}

static void
test_hosts(void **state)
{
    static const char *const good[] = {"localhost", "LocalHost:6060",
        "127.0.0.1", "127.0.0.1:80", "127.8.9.10:6060", "[::1]:6060", "[::1]",
        "192.168.7.9:6060", "[::ffff:127.0.0.1]:1", "my.box:6060", "MY.box",
        "localhost:"};
    static const char *const bad[] = {"evil.example", "evil.example:6060",
        "localhost.evil.example", "127.0.0.1.evil.example", "192.168.7.8",
        "128.0.0.1", "", ":6060", "[::1", "[::1]x", "[::2]:6060",
        "localhost:60x", "localhost@evil.example", "127.1", "0.0.0.0",
        "[::ffff:10.0.0.1]", "my.box.evil", "localhost evil.example"};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof good / sizeof *good; i++)
        if (ask(good[i], NULL, "my.box") != NULL)
            fail_msg("%s is refused", good[i]);
    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        if (ask(bad[i], NULL, "my.box") == NULL)
            fail_msg("%s is answered", bad[i]);
    assert_non_null(ask(NULL, NULL, ""));
    assert_non_null(strstr(ask("x", NULL, ""), "Host"));
}

static void
test_address_of_the_connection(void **state)
{
    struct host_asker q = {.host = "[fe80::1]:6060"};
    struct sockaddr_storage room = {.ss_family = AF_INET6};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

    (void)state;
    assert_non_null(host_http_refusal(&q, "", NULL));
    inet_pton(AF_INET6, "fe80::1", &v6.sin6_addr);
    memcpy(&room, &v6, sizeof v6);
    assert_null(host_http_refusal(&q, "", (struct sockaddr *)&room));
    /* A socket of both families has addresses of the old one mapped. */
    inet_pton(AF_INET6, "::ffff:10.1.2.3", &v6.sin6_addr);
    memcpy(&room, &v6, sizeof v6);
    assert_non_null(host_http_refusal(&q, "", (struct sockaddr *)&room));
    q.host = "10.1.2.3:6060";
    assert_null(host_http_refusal(&q, "", (struct sockaddr *)&room));
}

static void
test_origins(void **state)
{
    (void)state;
    assert_null(ask("localhost:6060", "http://localhost:6060", ""));
    assert_null(ask("localhost:6060", "http://LOCALHOST:6060", ""));
    assert_non_null(ask("localhost:6060", "http://localhost:3000", ""));
    assert_non_null(ask("localhost:6060", "http://evil.example", ""));
    assert_non_null(ask("localhost:6060", "null", ""));
    assert_non_null(ask("localhost:6060", "", ""));
    assert_non_null(strstr(ask("localhost", "null", ""), "another site"));
    /* A good origin does not make a bad host good. */
    assert_non_null(ask("evil.example", "http://evil.example", ""));
}

static void
test_foreign_loads(void **state)
{
    static const struct {
        const char *site, *dest;
        bool fine;
    } rows[] = {{"none", "document", true}, {"same-origin", "empty", true},
        {"cross-site", "document", true}, {"cross-site", "image", false},
        {"cross-site", "iframe", false}, {"same-site", "empty", false},
        {"cross-site", NULL, false}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct host_asker q = {.host = "localhost",
            .fetch_site = rows[i].site, .fetch_dest = rows[i].dest};

        assert_int_equal(host_http_refusal(&q, "", NULL) == NULL, rows[i].fine);
    }
}

/* Whether the other end of a connection sees that it was shut down. */
static bool
was_shut(int other)
{
    char c;

    return recv(other, &c, 1, MSG_DONTWAIT) == 0;
}

static void
test_the_oldest_idle_makes_room(void **state)
{
    struct host_conns l;
    struct host_conn *c[6];
    int ends[6][2], i;

    (void)state;
    host_conns_init(&l, 4);
    for (i = 0; i < 6; i++)
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]), 0);
    for (i = 0; i < 4; i++)
        c[i] = host_conns_add(&l, ends[i][0]);
    for (i = 0; i < 4; i++)
        assert_false(was_shut(ends[i][1]));
    host_conns_busy(&l, c[0], true);  /* is being answered */
    host_conns_busy(&l, c[1], true);  /* has been, just now */
    host_conns_busy(&l, c[1], false);
    c[4] = host_conns_add(&l, ends[4][0]);
    assert_true(was_shut(ends[2][1]));
    c[5] = host_conns_add(&l, ends[5][0]);
    assert_true(was_shut(ends[3][1]));
    assert_false(was_shut(ends[0][1]));
    assert_false(was_shut(ends[1][1]));
    assert_int_equal(l.n, 4);
    /* One that closes by itself leaves a place; one that was shut has none. */
    host_conns_remove(&l, c[2]);
    assert_int_equal(l.n, 4);
    host_conns_remove(&l, c[4]);
    assert_int_equal(l.n, 3);
    c[4] = host_conns_add(&l, ends[4][0]);
    assert_false(was_shut(ends[1][1]));
    host_conns_remove(&l, c[0]);
    host_conns_remove(&l, c[1]);
    host_conns_remove(&l, c[3]);
    host_conns_remove(&l, c[4]);
    host_conns_remove(&l, c[5]);
    host_conns_remove(&l, NULL);
    host_conns_busy(&l, NULL, true);
    assert_int_equal(l.n, 0);
    assert_ptr_equal(l.head.next, &l.head);
    host_conns_fini(&l);
    for (i = 0; i < 6; i++) {
        close(ends[i][0]);
        close(ends[i][1]);
    }
}

static void
test_all_are_busy(void **state)
{
    struct host_conns l;
    struct host_conn *a, *b;
    int ends[2];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    host_conns_init(&l, 1);
    a = host_conns_add(&l, ends[0]);
    host_conns_busy(&l, a, true);
    b = host_conns_add(&l, -1);
    assert_false(was_shut(ends[1]));
    assert_int_equal(l.n, 2);
    host_conns_remove(&l, a);
    host_conns_remove(&l, b);
    host_conns_fini(&l);
    close(ends[0]);
    close(ends[1]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_address_of_the_connection),
        cmocka_unit_test(test_origins),
        cmocka_unit_test(test_foreign_loads),
        cmocka_unit_test(test_the_oldest_idle_makes_room),
        cmocka_unit_test(test_all_are_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
