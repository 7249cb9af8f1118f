/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PTAG_H
#define PROFILE_READ_PTAG_H

/*
 * A condition on a sample's labels, in the words of pprof's -tagfocus:
 *
 *     regexp,regexp       each matches "key:value" of some label
 *     key=regexp,regexp   one of them matches a value of that key
 *     32kb  :64kb  4mb:  12kb:64mb    a number, with "key=" of that key
 */

#include "profile/read/pfile.h"
#include "profile/read/pregex.h"

enum { PTAG_MAX = 16 };

struct ptag {
    bool set, range;
    char *key;               /* NULL: any */
    struct pregex re[PTAG_MAX];
    int nre;
    char unit[24];           /* of the range */
    double low, high;
    const char *known_key;   /* what unit_of() found last */
    const char *known_unit;
};

/* NULL and "" leave *t unset. */
enum rt_status ptag_compile(struct ptag *t, const char *option,
    const char *text, struct rt_err *e);

bool ptag_match(struct ptag *t, const struct pfile *f,
    const struct pfile_sample *s);

void ptag_free(struct ptag *t);

#endif
