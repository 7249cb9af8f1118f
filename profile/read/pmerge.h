/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PMERGE_H
#define PROFILE_READ_PMERGE_H

/*
 * Several profiles as one: samples with equal stacks and labels are added.
 * Sample types that not all profiles have are left out; units are made equal.
 */

#include "profile/read/pfile.h"

/*
 * How to take a profile.  Samples of a compared profile are negated and stay
 * apart from the others: pfile_sample.base.  Those of a subtracted one are
 * negated and cancel.
 */
enum pmerge_role { PMERGE_ADD, PMERGE_COMPARE, PMERGE_SUBTRACT };

struct pmerge_source {
    const struct pfile *f;
    enum pmerge_role role;
};

/* Merges n > 0 sources into a new profile, the caller's.  The first gives the
 * order of sample types and which mapping is the program.  RT_EFORMAT where
 * the profiles are of different kinds, RT_ENOMEM. */
enum rt_status pmerge_all(const struct pmerge_source *in, size_t n,
    struct pfile **out, struct rt_err *e);

#endif
