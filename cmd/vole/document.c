/* SPDX-License-Identifier: MIT */
/* The manual page of vole and its completion, for the build. */
#include <string.h>

#include "cmd/common/doc.h"
#include "cmd/vole/vole_cmd.h"

bool
cmd_document(const char *word)
{
    const struct doc_cmd cmds[] = {
        {"run", "compile and run a Go program",
            "[flags] file.go|directory|- [arguments]",
            "Compiles a Go program and runs it.  The exit status is the "
            "program's; 1 if it does\nnot compile, 2 after a panic or wrong "
            "usage.",
            "  vole run -trace out.trace prog.go -n 10\n", cmd_flags("run")},
        {"check", "report compile errors, run nothing",
            "[flags] file.go|directory|-",
            "Reports compile errors as Go's compiler words them, on standard "
            "error; exit status\n1 if there are any.",
            "  vole check prog.go\n", cmd_flags("check")},
        {"disasm", "list a program's bytecode",
            "[flags] file.go|directory|-",
            "Lists the bytecode of the program's functions.",
            "  vole disasm -f main.fib prog.go\n", cmd_flags("disasm")},
        {"test", "run the tests of packages",
            "[flags] [packages] [-args arguments]",
            "Runs the tests of packages and reports as go test does; exit "
            "status 1 if some\nfailed or did not compile.",
            "  vole test -v -run TestX ./...\n", cmd_flags("test")},
        {"list", "list packages or modules", "[flags] [packages|modules]",
            "Prints what packages or modules there are, as go list does.",
            "  vole list -deps ./...\n  vole list -m -json all\n",
            cmd_flags("list")},
        {"mod", "fetch and explain the modules that go.mod needs",
            "download|init|graph|why|verify [flags]",
            "Fetches modules into Go's module cache, and answers questions about "
            "them: see vole help mod.",
            "  vole mod download\n", NULL},
        {"env", "print the settings with which programs are loaded",
            "[NAME ...]",
            "Prints settings, or the values of those that are named: see vole "
            "help env.",
            "  vole env GOROOT\n", NULL},
        {"prof", "read profiles", "command [flags] file",
            "Reads profiles of vole, Go and others: see vole help prof.",
            "  vole prof top heap.pprof\n", NULL},
        {"version", "print vole's version", "[-v]", "Prints vole's version, "
            "and with -v whether there is machine code here.",
            NULL, NULL},
    };
    const struct doc_prog p = {
        .name = "vole",
        .brief = "run Go programs on a small runtime of its own",
        .text =
            "vole compiles Go programs to bytecode and runs them: with "
            "goroutines, a garbage\ncollector, profiles and an execution "
            "tracer, without a Go toolchain.\n\n"
            "Without a command's name vole runs: \"vole file.go\" is \"vole run "
            "file.go\", and so is\na folder or -, a program on standard input. "
            " vole -e code runs statements, which\nuse packages without "
            "importing them.\n\n"
            "GOMAXPROCS, GOGC, GOMEMLIMIT and GOTRACEBACK work as for Go "
            "programs.\nVOLEDEBUG=help lists what VOLEDEBUG can switch on.",
        .status = "The program's; 1 if it does not compile, 2 after a panic "
            "or wrong usage.",
        .see = "vole-trace(1), go(1)",
        .plain = "[flags] file.go|directory|- [arguments]",
        .cmds = cmds,
        .ncmds = sizeof cmds / sizeof *cmds};
    struct out o;

    out_init(&o);
    return doc_write(&o, &p, word);
}
