/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_READ_PFLAME_PAGE_H
#define PROFILE_READ_PFLAME_PAGE_H

/* flame.html before and after the place where the data goes; made by
 * mkpage.py. */
extern const char pflame_page_head[], pflame_page_tail[];

#endif
