/* SPDX-License-Identifier: MIT */
/*
 * The vole command: its commands, usage and help.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common/fds.h"
#include "cmd/vole/vole_cmd.h"
#include "runtime/base/goversion.h"
#include "runtime/vole.h"

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
    int folder_at; /* -C may be the how many-th word behind it; 0: nowhere */
};

static int help(int argc, char **argv);

static int
version(int argc, char **argv)
{
    bool more = argc == 1 && strcmp(argv[0], "-v") == 0;

    if (argc > 0 && !more) {
        fprintf(stderr, "vole version: takes no arguments but -v\n");
        return 2;
    }
    printf("vole version %s linux/amd64 (language: %s)\n", VOLE_VERSION,
        RT_GO_VERSION);
    if (more)
        printf("machine code: %s\n", vole_jit_available() ? "x86-64"
            : "none: this machine or system does not let code be made");
    return cmd_flush("vole");
}

static const struct command commands[] = {
    {"run", cmd_run, "compile and run a Go program", 1},
    {"test", cmd_test, "run the tests of packages", 1},
    {"check", cmd_check, "report compile errors, run nothing", 1},
    {"list", cmd_list, "list packages or modules", 1},
    {"mod", cmd_mod, "fetch and explain the modules that go.mod needs", 2},
    {"env", cmd_env, "print the settings with which programs are loaded", 1},
    {"disasm", cmd_disasm, "list a program's bytecode", 1},
    {"prof", cmd_prof, "read profiles: tables, source, flame graphs", 0},
    {"version", version, "print vole's version", 0},
    {"help", help, "explain a command", 0},
    {"treestock", cmd_treestock, NULL, 0}, /* not for users */
};

/* Commands of go that vole has not, and what does their work. */
static const struct {
    const char *name, *instead;
} of_go[] = {
    {"build", "nothing needs to be built: \"vole run\" compiles in memory, "
        "\"vole check\" only reports errors"},
    {"install", "nothing needs to be installed: \"vole run\" runs a program "
        "from its sources"},
    {"get", "import the package and type \"vole mod tidy\", which adds its "
        "module to go.mod"},
    {"vet", "\"vole check\" reports what does not compile; go vet reads the "
        "same files"},
    {"fmt", "gofmt formats the same files"},
    {"doc", "go doc explains the same packages; \"vole list\" names them"},
    {"tool", "profiles are read by \"vole prof\", traces by vole-trace; go tool "
        "pprof, trace and cover read vole's files, too"},
    {"generate", "go generate runs the same directives"},
    {"fix", "go fix changes the same files"},
    {"work", "a go.work is obeyed; go work, or an editor, writes it"},
    {"clean", "nothing is left in folders of sources; what is kept of compiled "
        "programs is in \"vole env VOLECACHE\" and may be deleted"},
};

static const char *
instead_of(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof of_go / sizeof *of_go; i++)
        if (strcmp(of_go[i].name, name) == 0)
            return of_go[i].instead;
    return NULL;
}

static void
usage(FILE *out)
{
    size_t i;

    fprintf(out,
        "vole runs Go programs on a runtime of its own: goroutines, garbage\n"
        "collector, profiles and tracer, without a Go toolchain.\n\n"
        "Usage: vole [flags] file.go|directory|- [arguments]\n"
        "       vole [flags] -e 'code' [arguments]\n"
        "       vole <command> ...\n\n");
    for (i = 0; i < sizeof commands / sizeof *commands; i++)
        if (commands[i].summary != NULL)
            fprintf(out, "  %-8s  %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\n"
        "Examples: vole -trace out.trace prog.go && "
        "vole-trace summary out.trace\n"
        "          vole -e 'fmt.Println(strings.Repeat(\"vole \", 3))'\n"
        "\"vole help <command>\" has the flags.\n");
}

static int
help(int argc, char **argv)
{
    size_t i;

    if (argc == 0) {
        usage(stdout);
        return cmd_flush("vole");
    }
    if (cmd_document(argv[0]))
        return cmd_flush("vole");
    for (i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (commands[i].summary != NULL &&
            strcmp(commands[i].name, argv[0]) == 0) {
            if (cmd_help(argv[0], stdout) != 0)
                printf("Usage: vole %s\n\n%s.\n", argv[0],
                    commands[i].summary);
            return cmd_flush("vole");
        }
    }
    if (instead_of(argv[0]) != NULL) {
        printf("There is no \"vole %s\": %s.\n", argv[0],
            instead_of(argv[0]));
        return cmd_flush("vole");
    }
    fprintf(stderr, "vole help: unknown command \"%s\"\n", argv[0]);
    return 2;
}

/* Whether nobody reads a pipe any more. */
static bool
no_reader(int fd)
{
    struct pollfd p = {fd, POLLOUT, 0};

    return poll(&p, 1, 0) == 1 && (p.revents & POLLERR) != 0;
}

int
cmd_flush(const char *prog)
{
    int err = EBADF;

    if (!fds_was_closed(STDOUT_FILENO)) {
        errno = 0;
        if (fflush(stdout) == 0 && !ferror(stdout))
            return 0;
        /* A write long ago may have failed; why is not known any more. */
        err = errno != 0 ? errno : no_reader(STDOUT_FILENO) ? EPIPE : EIO;
    }
    if (err == EPIPE)
        return 0; /* the reader has seen enough */
    fprintf(stderr, "%s: standard output: %s\n", prog, strerror(err));
    return 1;
}

/* Whether a first word that is no command is a program or a flag. */
static bool
is_program(const char *word)
{
    size_t n = strlen(word);

    return *word == '-' || strchr(word, '/') != NULL ||
        (n > 3 && strcmp(word + n - 3, ".go") == 0) ||
        access(word, F_OK) == 0;
}

/* Obeys -C as word `at`; 0, or the exit status after a message. */
static int
enter_folder(int *argc, char **argv, int at)
{
    char text[PATH_MAX];

    if (args_folder(argc, argv, at, text, sizeof text))
        return 0;
    fprintf(stderr, "vole: %s\n", text);
    return 2;
}

static int
run_command(const struct command *c, int argc, char **argv)
{
    int status = c->folder_at == 0 ? 0
        : enter_folder(&argc, argv, 1 + c->folder_at);

    return status != 0 ? status : c->run(argc - 2, argv + 2);
}

int
main(int argc, char **argv)
{
    size_t i;
    int status;

    if (!fds_init())
        return 2;
    if (argc < 2) {
        usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "-help") == 0 ||
        strcmp(argv[1], "--help") == 0)
        return help(0, NULL);
    if (strcmp(argv[1], "-version") == 0 || strcmp(argv[1], "--version") == 0)
        return version(0, NULL);
    status = enter_folder(&argc, argv, 1);
    if (status != 0)
        return status;
    for (i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, argv[1]) == 0)
            return run_command(&commands[i], argc, argv);
    if (argc < 2 || is_program(argv[1]))
        return cmd_plain(argc - 1, argv + 1);
    if (instead_of(argv[1]) != NULL) {
        fprintf(stderr, "vole: there is no \"vole %s\": %s\n", argv[1],
            instead_of(argv[1]));
        return 2;
    }
    fprintf(stderr, "vole: unknown command \"%s\"\n"
        "Run \"vole help\" for usage.\n", argv[1]);
    return 2;
}
