/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_WIRE_TAB_H
#define PROFILE_WIRE_TAB_H

/*
 * Text in columns: cells end at a tab, and the cells of a column in lines
 * that follow each other are made equally wide with tabs, as Go's
 * text/tabwriter does for profiles (tab width 8, padding 1).
 */

#include "profile/wire/sink.h"

struct wire_tab {
    struct wire_buf out;  /* finished text */
    struct wire_buf cur;  /* lines whose columns are still open */
    size_t line;          /* where the last of them begins */
};

/* Appends formatted text. */
void wire_tabf(struct wire_tab *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Closes the columns that are open; out is complete.  False: no memory. */
bool wire_tab_flush(struct wire_tab *t);

void wire_tab_free(struct wire_tab *t);

#endif
