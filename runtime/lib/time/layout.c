/* SPDX-License-Identifier: MIT */

/*
 * The layouts of time.Format and time.Parse: finding the elements of the
 * reference time in a text.
 */

#include <stdbool.h>
#include <string.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/lib/support/text.h"
#include "runtime/vm/native.h"

/* The elements, numbered as in time/format.go. */
enum elem {
    ELEM_NONE,
    ELEM_LONG_MONTH,
    ELEM_MONTH,
    ELEM_NUM_MONTH,
    ELEM_ZERO_MONTH,
    ELEM_LONG_WEEKDAY,
    ELEM_WEEKDAY,
    ELEM_DAY,
    ELEM_UNDER_DAY,
    ELEM_ZERO_DAY,
    ELEM_UNDER_YEAR_DAY,
    ELEM_ZERO_YEAR_DAY,
    ELEM_HOUR,
    ELEM_HOUR12,
    ELEM_ZERO_HOUR12,
    ELEM_MINUTE,
    ELEM_ZERO_MINUTE,
    ELEM_SECOND,
    ELEM_ZERO_SECOND,
    ELEM_LONG_YEAR,
    ELEM_YEAR,
    ELEM_PM_UPPER,
    ELEM_PM_LOWER,
    ELEM_TZ,
    ELEM_FRAC0,
    ELEM_FRAC9,
    ELEM_OFFSET
};

/* Forms of ELEM_OFFSET, as there. */
enum { OFF_MINUTES = 1, OFF_SECONDS = 2, OFF_COLON = 4, OFF_Z = 8 };

struct found {
    enum elem elem;
    int64_t n;      /* digits, or the form */
    int64_t length; /* of the element in the layout */
    int64_t skip;   /* bytes of text before it */
};

/* Elements that are fixed texts; of several that match the first counts. */
static const struct fixed {
    const char *text;
    uint8_t elem;
    bool word; /* not before a lower case letter */
} fixed[] = {
    {"January", ELEM_LONG_MONTH, false},
    {"Jan", ELEM_MONTH, true},
    {"Monday", ELEM_LONG_WEEKDAY, false},
    {"Mon", ELEM_WEEKDAY, true},
    {"MST", ELEM_TZ, false},
    {"01", ELEM_ZERO_MONTH, false},
    {"02", ELEM_ZERO_DAY, false},
    {"03", ELEM_ZERO_HOUR12, false},
    {"04", ELEM_ZERO_MINUTE, false},
    {"05", ELEM_ZERO_SECOND, false},
    {"06", ELEM_YEAR, false},
    {"002", ELEM_ZERO_YEAR_DAY, false},
    {"15", ELEM_HOUR, false},
    {"1", ELEM_NUM_MONTH, false},
    {"2006", ELEM_LONG_YEAR, false},
    {"2", ELEM_DAY, false},
    {"_2", ELEM_UNDER_DAY, false},
    {"__2", ELEM_UNDER_YEAR_DAY, false},
    {"3", ELEM_HOUR12, false},
    {"4", ELEM_MINUTE, false},
    {"5", ELEM_SECOND, false},
    {"PM", ELEM_PM_UPPER, false},
    {"pm", ELEM_PM_LOWER, false},
};

/* What follows the sign or Z of an offset. */
static const struct {
    const char *text;
    uint8_t form;
} offsets[] = {
    {"07:00:00", OFF_MINUTES | OFF_SECONDS | OFF_COLON},
    {"070000", OFF_MINUTES | OFF_SECONDS},
    {"07:00", OFF_MINUTES | OFF_COLON},
    {"0700", OFF_MINUTES},
    {"07", 0},
};

static bool
has(struct rt_str s, const char *prefix, int64_t *len)
{
    *len = (int64_t)strlen(prefix);
    return s.len >= *len && memcmp(s.ptr, prefix, (size_t)*len) == 0;
}

static bool
find_offset(struct rt_str s, struct found *f)
{
    struct rt_str rest = {s.ptr + 1, s.len - 1};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        if (has(rest, offsets[i].text, &f->length)) {
            f->elem = ELEM_OFFSET;
            f->n = offsets[i].form | (s.ptr[0] == 'Z' ? OFF_Z : 0);
            f->length++;
            return true;
        }
    return false;
}

/* A point or comma and zeros or nines, not before another digit. */
static bool
find_fraction(struct rt_str s, struct found *f)
{
    if (s.len < 2 || (s.ptr[1] != '0' && s.ptr[1] != '9'))
        return false;
    int64_t i = 1;
    while (i < s.len && s.ptr[i] == s.ptr[1])
        i++;
    if (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
        return false;
    f->elem = s.ptr[1] == '0' ? ELEM_FRAC0 : ELEM_FRAC9;
    f->n = i - 1;
    f->length = i;
    return true;
}

static bool
find_fixed(struct rt_str s, struct found *f)
{
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        const struct fixed *x = &fixed[i];
        if (x->text[0] != s.ptr[0] || !has(s, x->text, &f->length))
            continue;
        uint8_t next = f->length < s.len ? s.ptr[f->length] : 0;
        if (x->word && next >= 'a' && next <= 'z')
            continue;
        f->elem = x->elem;
        return true;
    }
    return false;
}

/* The element at the beginning of s, which is not empty. */
static bool
find_elem(struct rt_str s, struct found *f)
{
    *f = (struct found){.elem = ELEM_NONE};
    switch (s.ptr[0]) {
    case '-':
    case 'Z':
        return find_offset(s, f);
    case '.':
    case ',':
        return find_fraction(s, f);
    case '_':
        if (has(s, "_2006", &f->length)) {
            f->elem = ELEM_LONG_YEAR;
            f->length = 4;
            f->skip = 1;
            return true;
        }
        return find_fixed(s, f);
    case 'J':
    case 'M':
    case 'P':
    case 'p':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
        return find_fixed(s, f);
    default:
        return false;
    }
}

/* func nextElem(layout string) (prefix string, elem, n int, rest string) */
enum vm_status
lib_time_nextElem(struct vm_thread *t, union lib_time_nextElem_1to4 *frame)
{
    (void)t;
    struct rt_str s = frame->in.layout, rest = {NULL, 0};
    struct found f = {.elem = ELEM_NONE};
    int64_t i = 0;
    while (i < s.len &&
        !find_elem((struct rt_str){s.ptr + i, s.len - i}, &f))
        i++;
    if (i < s.len) {
        i += f.skip;
        rest = (struct rt_str){text_at(s, i + f.length), s.len - i - f.length};
        s.len = i;
    }
    frame->out.prefix = s;
    frame->out.elem = f.elem;
    frame->out.n = f.n;
    frame->out.rest = rest;
    return VM_OK;
}
