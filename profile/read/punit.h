/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PUNIT_H
#define PROFILE_READ_PUNIT_H

/*
 * Units of measurement as pprof knows them: bytes (powers of 1,024), times,
 * and compute units (GCU).  Other units are names without a scale.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PUNIT_TEXT = 64 };

/*
 * Converts v from one unit to another.  to may be "auto" or "minimum": the
 * largest unit in which |v| is at least 1.  *unit is the unit of the result,
 * "" if it is not worth showing; it lives as long as `to` does.
 */
double punit_scale(int64_t v, const char *from, const char *to,
    const char **unit);

/* As a text: "1.50s", "12kB", "0"; buf has PUNIT_TEXT bytes and is
 * returned. */
char *punit_label(char *buf, int64_t v, const char *from, const char *to);

/* "12.35%", at least 6 cells wide, of |v / total|. */
char *punit_percent(char *buf, int64_t v, int64_t total);

/* Whether values of the two units can be added after scaling. */
bool punit_compatible(const char *a, const char *b);

#endif
