/* SPDX-License-Identifier: MIT */

#ifndef RUNTIME_NUM_NUMTEXT_INT_H
#define RUNTIME_NUM_NUMTEXT_INT_H

/* What integers and floats as text have in common. */

#include <stdbool.h>
#include <stddef.h>

/* The small letter of one; other bytes may come out as anything. */
static inline char
num_lower(char c)
{
    return (char)(c | ('x' - 'X'));
}

/* The value of a digit in any base up to 36; 99 if it is none. */
int num_digit_value(char c);

/*
 * Reports whether each '_' of s[0:n], which may have a sign, stands between
 * digits, or after a base prefix.
 */
bool num_underscores_ok(const char *s, size_t n);

#endif
