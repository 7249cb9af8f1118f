/* SPDX-License-Identifier: MIT */
/* The shortest host: runs one Go program. */
#include <stdio.h>

#include <vole.h>

int
main(int argc, char **argv)
{
    struct vole_options opt = VOLE_OPTIONS_DEFAULT;
    const char *path = argc > 1 ? argv[1] : "prog.go";
    struct vole_error err;
    struct vole *v;
    int status = 1;

    switch (vole_open(&v, &path, 1, &opt, &err)) {
    case VOLE_OK:
        status = vole_run(v);
        break;
    case VOLE_ERRORS: /* it does not compile */
        vole_write_errors(v, stderr);
        break;
    default: /* no such file, no memory */
        fprintf(stderr, "%s\n", err.text);
        break;
    }
    vole_close(v);
    return status;
}
