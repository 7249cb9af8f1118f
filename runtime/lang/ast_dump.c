/* SPDX-License-Identifier: MIT */
#include "runtime/lang/ast.h"
void ast_dump(FILE *out, const struct lang_sources *src, const struct ast_file *file) { (void)out;(void)src;(void)file; }
