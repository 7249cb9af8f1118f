/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_LOAD_OWN_IMAGE_H
#define RUNTIME_LANG_LOAD_OWN_IMAGE_H

/*
 * The image of one program in a folder that somebody has made for it and will
 * remove: whoever starts this very program again, as it was compiled, finds it
 * there and reads none of its sources, whether or not these have changed, as
 * an executable does not change with them.  Unlike the images of cache.h it may
 * be one of tests, or be watched for races.
 */

#include <pthread.h>

#include "runtime/code/code.h"
#include "runtime/lang/load/entry.h"

/* Between own_image_init() and own_image_free(). */
struct own_image {
    pthread_mutex_t lock; /* guards name, once the program runs */
    struct entry_folder folder;
    struct entry_name name; /* "": nothing is kept */
    struct entry entry;     /* where it was found */
};

void own_image_init(struct own_image *o);

/*
 * The image in the folder, an absolute path that stays valid, with the program's
 * default GODEBUG, what there is to say of its modules and for which library it
 * was made (struct tree_places).  NULL: there is none that this build of vole has
 * made, and own_image_keep() may keep one.  What is found lives until
 * own_image_free().
 */
const struct code_image *own_image_find(struct own_image *o,
    const char *folder, const char **godebug, const char **buildinfo,
    unsigned *wanted);

/* Keeps an image, unless it was found there, is kept already, or nobody has
 * asked for one.  What fails leaves the folder without.  Any thread may call
 * it; when it returns the image is there. */
void own_image_keep(struct own_image *o, const struct code_image *im,
    const char *godebug, const char *buildinfo, unsigned wanted);

void own_image_free(struct own_image *o);

#endif
