/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_LANG_CHECK_H
#define TESTS_UNIT_LANG_CHECK_H

/* cmocka with the headers that it wants before it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
