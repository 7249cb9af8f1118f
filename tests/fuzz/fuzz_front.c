/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer target: scanner, parser, checker, generator and verifier on any
 * text.  tests/fuzz/run_front_fuzz.py builds and runs it.
 *
 * Programs are damaged token by token, as people and machines damage them, as
 * often as byte by byte: of random bytes hardly any come beyond the scanner.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/rand.h"
#include "runtime/code/code.h"
#include "runtime/lang/load/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(
    uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* ---- the library ------------------------------------------------------------ */

/* What most programs import, as small as they can do with: the real packages
 * would be read and checked for each of a million programs. */
static const struct program_source packages[] = {
#define PACKAGE(path, text) {path, text, sizeof(text) - 1}
    PACKAGE("runtime", "package runtime\n"
        "type Error interface { error; RuntimeError() }\n"
        "type errorString string\n"
        "func (e errorString) Error() string { return string(e) }\n"
        "func (e errorString) RuntimeError() {}\n"
        "type plainError string\n"
        "func (e plainError) Error() string { return string(e) }\n"
        "func (e plainError) RuntimeError() {}\n"
        "type boundsError struct { text string }\n"
        "func (e boundsError) Error() string { return e.text }\n"
        "func (e boundsError) RuntimeError() {}\n"
        "type TypeAssertionError struct { text string }\n"
        "func (e *TypeAssertionError) Error() string { return e.text }\n"
        "func (e *TypeAssertionError) RuntimeError() {}\n"
        "type PanicNilError struct { text string; _ [0]func() }\n"
        "func (e *PanicNilError) Error() string { return e.text }\n"
        "func (e *PanicNilError) RuntimeError() {}\n"
        "func Gosched() {}\n"
        "func GC() {}\n"
        "func NumGoroutine() int { return 1 }\n"
        "func GOMAXPROCS(n int) int { return n }\n"),
    PACKAGE("errors", "package errors\n"
        "type e struct{ s string }\n"
        "func (x *e) Error() string { return x.s }\n"
        "func New(s string) error { return &e{s} }\n"
        "func Is(a, b error) bool { return a == b }\n"),
    PACKAGE("fmt", "package fmt\n"
        "type Stringer interface{ String() string }\n"
        "func Println(a ...any) (int, error) { return len(a), nil }\n"
        "func Print(a ...any) (int, error) { return len(a), nil }\n"
        "func Printf(f string, a ...any) (int, error) { return len(a), nil }\n"
        "func Sprint(a ...any) string { return \"\" }\n"
        "func Sprintf(f string, a ...any) string { return f }\n"
        "func Errorf(f string, a ...any) error { return nil }\n"),
    PACKAGE("os", "package os\n"
        "var Args []string\n"
        "func Exit(n int) { panic(n) }\n"),
    PACKAGE("sort", "package sort\n"
        "type Interface interface { Len() int; Less(i, j int) bool; Swap(i, j int) }\n"
        "func Sort(x Interface) {}\n"
        "func Ints(x []int) {}\n"
        "func Strings(x []string) {}\n"
        "func Slice(x any, less func(i, j int) bool) {}\n"),
    PACKAGE("strings", "package strings\n"
        "type Builder struct { b []byte }\n"
        "func (b *Builder) WriteString(s string) (int, error) { b.b = append(b.b, s...); return len(s), nil }\n"
        "func (b *Builder) WriteByte(c byte) error { b.b = append(b.b, c); return nil }\n"
        "func (b *Builder) String() string { return string(b.b) }\n"
        "func (b *Builder) Len() int { return len(b.b) }\n"
        "func Repeat(s string, n int) string { return s }\n"
        "func Split(s, sep string) []string { return nil }\n"
        "func Join(a []string, sep string) string { return sep }\n"
        "func Contains(s, t string) bool { return false }\n"),
    PACKAGE("strconv", "package strconv\n"
        "func Itoa(n int) string { return \"\" }\n"
        "func Atoi(s string) (int, error) { return 0, nil }\n"),
    PACKAGE("sync", "package sync\n"
        "type Mutex struct{ n int32 }\n"
        "func (m *Mutex) Lock() { m.n++ }\n"
        "func (m *Mutex) Unlock() { m.n-- }\n"
        "type WaitGroup struct{ n int }\n"
        "func (w *WaitGroup) Add(n int) { w.n += n }\n"
        "func (w *WaitGroup) Done() { w.n-- }\n"
        "func (w *WaitGroup) Wait() {}\n"
        "func (w *WaitGroup) Go(f func()) { f() }\n"
        "type Once struct{ done bool }\n"
        "func (o *Once) Do(f func()) { if !o.done { o.done = true; f() } }\n"),
    PACKAGE("time", "package time\n"
        "type Duration int64\n"
        "const ( Nanosecond Duration = 1; Microsecond = 1000 * Nanosecond; Millisecond = 1000 * Microsecond; Second = 1000 * Millisecond )\n"
        "func Sleep(d Duration) {}\n"
        "func After(d Duration) <-chan int { return nil }\n"),
    PACKAGE("cmp", "package cmp\n"
        "type Ordered interface { ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~string }\n"
        "func Less[T Ordered](x, y T) bool { return x < y }\n"
        "func Compare[T Ordered](x, y T) int { if x < y { return -1 }; return 0 }\n"),
    PACKAGE("iter", "package iter\n"
        "type Seq[V any] func(yield func(V) bool)\n"
        "type Seq2[K, V any] func(yield func(K, V) bool)\n"),
    PACKAGE("slices", "package slices\n"
        "import (\"cmp\"; \"iter\")\n"
        "func Sort[S ~[]E, E cmp.Ordered](x S) {}\n"
        "func SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {}\n"
        "func Contains[S ~[]E, E comparable](s S, v E) bool { return Index(s, v) >= 0 }\n"
        "func Index[S ~[]E, E comparable](s S, v E) int { for i := range s { if v == s[i] { return i } }; return -1 }\n"
        "func Values[S ~[]E, E any](s S) iter.Seq[E] { return func(yield func(E) bool) { for _, v := range s { if !yield(v) { return } } } }\n"
        "func Collect[E any](seq iter.Seq[E]) []E { var s []E; for v := range seq { s = append(s, v) }; return s }\n"),
    PACKAGE("maps", "package maps\n"
        "import \"iter\"\n"
        "func Keys[M ~map[K]V, K comparable, V any](m M) iter.Seq[K] { return func(yield func(K) bool) { for k := range m { if !yield(k) { return } } } }\n"),
#undef PACKAGE
};

enum { NPACKAGES = sizeof packages / sizeof *packages };

static const void *
find(const char *path)
{
    for (unsigned i = 0; i < NPACKAGES; i++)
        if (strcmp(packages[i].name, path) == 0)
            return &packages[i];
    return NULL;
}

static bool
file(const void *package, unsigned i, struct program_source *out)
{
    if (i == 0)
        *out = *(const struct program_source *)package;
    return i == 0;
}

static const char *
called(const char *name)
{
    return find(name) != NULL ? name : NULL;
}

/* No tree of Go's library: what a machine has must not matter. */
static const char *
environment(const char *name)
{
    return strcmp(name, "VOLEROOT") == 0 ? "/nonexistent" : NULL;
}

/* ---- damage ------------------------------------------------------------------ */

static const char *const spice[] = {
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ":=", "=", "==", "...", "<-",
    "*", "&", "!", ".", "+", "-", "/", "%", "<<", ">>", "&^", "&&", "||", "+=",
    "<<=", "++", "~", "|", "func", "type", "var", "const", "struct",
    "interface", "map", "chan", "go", "defer", "return", "range", "for", "if",
    "else", "switch", "case", "default", "select", "goto", "break", "continue",
    "fallthrough", "import", "package", "nil", "iota", "int", "int8", "uint64",
    "string", "error", "any", "comparable", "byte", "rune", "uintptr",
    "float32", "complex128", "0", "1", "-1", "1e400", "0x", "'a'", "\"\"",
    "\"x\"", "`", "'", "\"", "\\", "/*", "//", "\n", "_", "main", "init", "len",
    "cap", "append", "copy", "make", "new", "delete", "clear", "min", "max",
    "close", "panic", "recover", "print", "println", "real", "imag", "complex",
    "true", "x", "1 << 100", "2i", "0x1p-1074", "unsafe.Pointer",
    "unsafe.Sizeof(x)", "T", "K", "V", "E", "P", "G", "[]int{1}", "[...]int{}",
    "func() {}", "func(yield func(int) bool) {}", "[T any]", "[T comparable]",
    "[T ~int]", "[T ~[]E, E any]", "[K comparable, V any]",
    "[T interface{ ~int | ~string; M() }]", "[T *int,]",
    "[P interface{ *T }, T any]", "[T T]", "[T G[T]]", "[int]", "[T]",
    "[string, int]", "[G[int]]", "[*T]", "[[]T]", "[func(T) T]", "[_]", "[T, U]",
    "~T", "int | string", "T(1)", "any(x).(type)", "*new(T)", "T.M", "[]T{}",
    "map[K]V{}", "G[T]{}", "F[T]", "range x", "x.f", "chan<- T", "<-chan T",
    "type G[T any] struct { f *G[T] }", "type G[T any] = []T",
    "func F[T any](t T) T { return t }", "import . \"fmt\"", "import \"slices\"",
    "L:", "goto L", "break L", "continue L", "switch x := x.(type) {", "for {}",
    "select {}", "defer func() { recover() }()", "struct{ T }",
    "interface{ M() }", "1_000", "0b1", "0o7", "'\\x00'", "\"\\u00e9\"",
};

enum { NSPICE = sizeof spice / sizeof *spice, TOKENS = 4096 };

struct tokens {
    uint32_t n;
    uint32_t at[TOKENS], end[TOKENS];
};

static bool
is_word(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
        (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
}

/* The end of the string that begins at data[i]. */
static size_t
string_end(const uint8_t *data, size_t size, size_t i)
{
    uint8_t quote = data[i++];

    while (i < size && data[i] != quote && (quote == '`' || data[i] != '\n'))
        i += data[i] == '\\' && quote != '`' && i + 1 < size ? 2 : 1;
    return i < size ? i + 1 : size;
}

static void
split(const uint8_t *data, size_t size, struct tokens *t)
{
    size_t i = 0, k;

    for (t->n = 0; i < size && t->n < TOKENS; i = k) {
        k = i + 1;
        if (data[i] <= ' ')
            continue;
        if (data[i] == '"' || data[i] == '`' || data[i] == '\'')
            k = string_end(data, size, i);
        else if (is_word(data[i]))
            while (k < size && is_word(data[k]))
                k++;
        t->at[t->n] = (uint32_t)i;
        t->end[t->n++] = (uint32_t)k;
    }
}

struct edit {
    uint8_t *data;
    size_t size, max;
};

/* [at, end) becomes the n bytes at p, which are not of the text; n may be 0. */
static void
put(struct edit *e, size_t at, size_t end, const uint8_t *p, size_t n)
{
    if (e->size - (end - at) + n > e->max)
        return;
    memmove(e->data + at + n, e->data + end, e->size - end);
    if (n > 0)
        memcpy(e->data + at, p, n);
    e->size += n - (end - at);
}

static void
damage_token(struct edit *e, struct rt_rand *r)
{
    static struct tokens t;
    static uint8_t copy[1 << 16];
    const uint8_t *s;

    split(e->data, e->size, &t);
    if (t.n < 3)
        return;
    uint32_t i = rt_rand_below(r, t.n), k = rt_rand_below(r, t.n);
    uint32_t to = i + rt_rand_below(r, 20);
    size_t n = t.end[k] - t.at[k];
    if (to >= t.n)
        to = t.n - 1;
    switch (rt_rand_below(r, 7)) {
    case 0: /* gone */
        put(e, t.at[i], t.end[i], NULL, 0);
        break;
    case 1: /* another */
    case 2:
        s = (const uint8_t *)spice[rt_rand_below(r, NSPICE)];
        put(e, t.at[i], t.end[i], s, strlen((const char *)s));
        break;
    case 3: /* one more */
        s = (const uint8_t *)spice[rt_rand_below(r, NSPICE)];
        put(e, t.end[i], t.end[i], (const uint8_t *)" ", 1);
        put(e, t.end[i] + 1, t.end[i] + 1, s, strlen((const char *)s));
        break;
    case 4: /* a token of the same program */
        if (n > sizeof copy)
            return;
        memcpy(copy, e->data + t.at[k], n);
        put(e, t.at[i], t.end[i], copy, n);
        break;
    case 5: /* several are gone */
        put(e, t.at[i], t.end[to], NULL, 0);
        break;
    case 6: /* several stand elsewhere, too */
        n = t.end[to] - t.at[i];
        if (n > sizeof copy)
            return;
        memcpy(copy, e->data + t.at[i], n);
        put(e, t.at[k], t.at[k], copy, n);
        break;
    }
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct edit e = {data, size, max};
    struct rt_rand r;

    rt_rand_init(&r, seed);
    if (size == 0 || rt_rand_below(&r, 8) == 0)
        return LLVMFuzzerMutate(data, size, max);
    for (uint32_t n = 1 + rt_rand_below(&r, 3); n > 0; n--)
        damage_token(&e, &r);
    return e.size;
}

/* ---- one program --------------------------------------------------------------- */

/* Whether a message begins with file, line and column. */
static bool
has_place(const char *line)
{
    unsigned row, column;

    return sscanf(line, "fuzz.go:%u:%u: ", &row, &column) == 2;
}

/* What is refused is refused with a word, and that says where; only a line
 * directive may name another place, and what concerns the whole has none. */
static void
check_messages(struct program *p, const uint8_t *data, size_t size)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);

    if (out == NULL)
        return;
    if (!program_has_errors(p) || program_write_errors(p, out) != 0)
        abort();
    fclose(out);
    if (n == 0 || text[n - 1] != '\n')
        abort();
    if (!has_place(text) && size > 0 &&
        memmem(data, size, "line ", 5) == NULL &&
        strstr(text, "main is undeclared") == NULL &&
        strstr(text, "is not a main package") == NULL) {
        fprintf(stderr, "no place: %s", text);
        abort();
    }
    free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct program_library library = {find, file, called};
    struct program_text text = {"fuzz.go",
        size == 0 ? "" : (const char *)data, size, size % 8 == 7};
    struct program_options opt = {.library = &library, .text = &text,
        .all_errors = size % 8 == 3, .race = size % 8 == 5,
        .env = environment};
    const struct code_image *image;
    struct program *p = NULL;
    struct rt_err e;

    enum rt_status st = program_load(NULL, 0, &opt, &p, &e);
    if (st == RT_OK)
        st = program_image(p, &image, &e);
    if (st == RT_EFORMAT)
        check_messages(p, data, size);
    program_free(p);
    return 0;
}
