/* SPDX-License-Identifier: MIT */
#include "runtime/code/atomics.h"

#include <string.h>

#include "runtime/base/throw.h"

static const struct {
    const char *name;
    uint8_t op, nargs, nres;
} ops[] = {
    {"Load", CODE_ATOMIC_LOAD, 1, 1},
    {"Store", CODE_ATOMIC_STORE, 2, 0},
    {"Add", CODE_ATOMIC_ADD, 2, 1},
    {"And", CODE_ATOMIC_AND, 2, 1},
    {"Or", CODE_ATOMIC_OR, 2, 1},
    {"Swap", CODE_ATOMIC_SWAP, 2, 1},
    {"CompareAndSwap", CODE_ATOMIC_CAS, 3, 1},
};

static const struct {
    const char *name;
    bool wide, sign;
} words[] = {
    {"Int32", false, true},
    {"Uint32", false, false},
    {"Int64", true, false},
    {"Uint64", true, false},
    {"Uintptr", true, false},
};

/* The fast paths of sync.Mutex: 1 is mutexLocked, 4 mutexStarving. */
static const struct {
    const char *name;
    struct code_atomic a;
} others[] = {
    {"sync.lock", {CODE_ATOMIC_TAKE, false, true, 1, 1, true, {1, 1 | 4}}},
    {"sync.unlock", {CODE_ATOMIC_ADD, false, true, 1, 1, true, {-1}}},
    {"sync/atomic.LoadPointer", {CODE_ATOMIC_LOAD, true, false, 1, 1, false,
        {0}}},
};

/* What follows the word's first letters, if it begins with them. */
static const char *
behind(const char *word, const char *first)
{
    size_t n = strlen(first);

    return strncmp(word, first, n) == 0 ? word + n : NULL;
}

static bool
find(const char *name, struct code_atomic *a)
{
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
        const char *type = behind(name, ops[i].name);

        for (unsigned k = 0;
             type != NULL && k < sizeof words / sizeof *words; k++)
            if (strcmp(type, words[k].name) == 0) {
                *a = (struct code_atomic){.op = ops[i].op,
                    .wide = words[k].wide,
                    .sign = words[k].sign,
                    .nargs = ops[i].nargs,
                    .nres = ops[i].nres};
                return true;
            }
    }
    return false;
}

bool
code_is_atomic(const struct code_native *n, struct code_atomic *a)
{
    const char *name = behind(n->name, "sync/atomic.");
    bool ok = name != NULL && find(name, a);

    for (unsigned i = 0; !ok && i < sizeof others / sizeof *others; i++)
        if (strcmp(n->name, others[i].name) == 0) {
            *a = others[i].a;
            ok = true;
        }
    rt_assert(!ok || (n->nargs == a->nargs && n->nres == a->nres));
    return ok;
}
