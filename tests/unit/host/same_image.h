/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_HOST_SAME_IMAGE_H
#define TESTS_UNIT_HOST_SAME_IMAGE_H

#include "runtime/code/code.h"

/* Fails the test unless two images are the same, field by field. */
void same_image(const struct code_image *a, const struct code_image *b);

#endif
