/* SPDX-License-Identifier: MIT */
/*
 * The numbers of mutant.h, read from the environment before main().
 */
#include "runtime/base/mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int mutant_alive;
unsigned char *mutant_reached;

/* The file is mapped and shared, so that a process that crashes has still
 * said what it reached. */
static void
map_reached(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    void *p;

    if (fd < 0 || ftruncate(fd, MUTANT_MAX) != 0)
        abort();
    p = mmap(NULL, MUTANT_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        abort();
    close(fd);
    mutant_reached = p;
}

static void __attribute__((constructor))
choose(void)
{
    const char *alive = getenv("MUTANT"), *path = getenv("MUTANT_REACHED");

    if (alive != NULL)
        mutant_alive = atoi(alive);
    if (path != NULL && *path != '\0')
        map_reached(path);
}
