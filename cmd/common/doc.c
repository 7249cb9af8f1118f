/* SPDX-License-Identifier: MIT */
#include "cmd/common/doc.h"

#include <ctype.h>
#include <string.h>

/* ---- manual page */

/* Text for troff: no line begins a request, backslashes and dashes stay. */
static void
man_text(struct out *o, const char *s)
{
    bool begin = true;

    for (; *s != '\0'; s++) {
        if (begin && (*s == '.' || *s == '\''))
            out_printf(o, "\\&");
        begin = *s == '\n';
        if (*s == '\\')
            out_printf(o, "\\e");
        else if (*s == '-')
            out_printf(o, "\\-");
        else
            out_printf(o, "%c", *s);
    }
}

/* The same, with empty lines between paragraphs as requests. */
static void
man_paragraphs(struct out *o, const char *s)
{
    const char *gap;

    while ((gap = strstr(s, "\n\n")) != NULL) {
        char part[2048];

        snprintf(part, sizeof part, "%.*s", (int)(gap - s), s);
        man_text(o, part);
        out_printf(o, "\n.PP\n");
        s = gap + 2;
    }
    man_text(o, s);
    out_printf(o, "\n");
}

/* Help texts are broken and indented for the terminal: one line again. */
static void
one_line(char *buf, size_t size, const char *s)
{
    size_t n = 0;

    for (; *s != '\0' && n + 1 < size; s++) {
        if (*s != '\n')
            buf[n++] = *s;
        if (*s != '\n')
            continue;
        buf[n++] = ' ';
        while (s[1] == ' ')
            s++;
    }
    buf[n] = '\0';
}

static void
man_command(struct out *o, const struct doc_prog *p, const struct doc_cmd *c)
{
    const struct arg_flag *f;
    char help[512];

    out_printf(o, ".SS \"");
    man_text(o, p->name);
    out_printf(o, " %s ", c->name);
    man_text(o, c->usage);
    out_printf(o, "\"\n");
    man_paragraphs(o, c->text);
    for (f = c->flags; f != NULL && f->name != NULL; f++) {
        out_printf(o, ".TP\n.B \\-");
        man_text(o, f->name);
        if (f->arg != NULL)
            out_printf(o, " \\fI%s\\fP", f->arg);
        out_printf(o, "\n");
        one_line(help, sizeof help, f->help);
        man_text(o, help);
        out_printf(o, "\n");
    }
    if (c->example != NULL) {
        out_printf(o, ".PP\nExample:\n.PP\n.nf\n");
        man_text(o, c->example);
        out_printf(o, "%s.fi\n", c->example[strlen(c->example) - 1] == '\n'
            ? "" : "\n");
    }
}

static void
man(struct out *o, const struct doc_prog *p)
{
    char upper[64];
    size_t i;
    int k;

    for (i = 0; p->name[i] != '\0' && i + 1 < sizeof upper; i++)
        upper[i] = (char)toupper((unsigned char)p->name[i]);
    upper[i] = '\0';
    out_printf(o, ".TH \"%s\" 1 \"\" \"vole\" \"User Commands\"\n", upper);
    out_printf(o, ".SH NAME\n");
    man_text(o, p->name);
    out_printf(o, " \\- ");
    man_text(o, p->brief);
    out_printf(o, "\n.SH SYNOPSIS\n.B ");
    man_text(o, p->name);
    out_printf(o, "\n.I command\n[\\fIflags\\fP] [\\fIarguments\\fP]\n");
    if (p->plain != NULL) {
        out_printf(o, ".br\n.B ");
        man_text(o, p->name);
        out_printf(o, "\n");
        man_text(o, p->plain);
        out_printf(o, "\n");
    }
    out_printf(o, ".SH DESCRIPTION\n");
    man_paragraphs(o, p->text);
    out_printf(o, ".SH COMMANDS\n");
    for (k = 0; k < p->ncmds; k++)
        man_command(o, p, &p->cmds[k]);
    out_printf(o, ".SH EXIT STATUS\n");
    man_text(o, p->status);
    out_printf(o, "\n");
    if (p->see != NULL) {
        out_printf(o, ".SH SEE ALSO\n");
        man_text(o, p->see);
        out_printf(o, "\n");
    }
}

/* ---- completion */

/* Text within single quotes of a shell. */
static void
quoted(struct out *o, const char *s)
{
    char line[512];
    const char *p;

    one_line(line, sizeof line, s);
    out_printf(o, "'");
    for (p = line; *p != '\0'; p++)
        out_printf(o, *p == '\'' ? "'\\''" : "%c", *p);
    out_printf(o, "'");
}

/* The name with _ for what no shell function may contain. */
static void
identifier(char *buf, size_t size, const char *name)
{
    size_t i;

    for (i = 0; name[i] != '\0' && i + 1 < size; i++)
        buf[i] = isalnum((unsigned char)name[i]) ? name[i] : '_';
    buf[i] = '\0';
}

static void
bash(struct out *o, const struct doc_prog *p)
{
    const struct arg_flag *f;
    char id[64];
    int i;

    identifier(id, sizeof id, p->name);
    out_printf(o, "# bash completion of %s\n_%s()\n{\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} cmd=${COMP_WORDS[1]} "
        "words=\n"
        "    COMPREPLY=()\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "%s        words=\"help", p->name, id, p->plain == NULL ? "" :
        "        compopt -o default 2>/dev/null\n");
    for (i = 0; i < p->ncmds; i++)
        out_printf(o, " %s", p->cmds[i].name);
    out_printf(o, "\"\n    elif [ \"$cmd\" = help ]; then\n"
        "        words=\"");
    for (i = 0; i < p->ncmds; i++)
        out_printf(o, "%s%s", i > 0 ? " " : "", p->cmds[i].name);
    out_printf(o, "\"\n    elif [[ $cur == -* ]]; then\n"
        "        case $cmd in\n");
    for (i = 0; i < p->ncmds; i++) {
        out_printf(o, "        %s) words=\"-help", p->cmds[i].name);
        for (f = p->cmds[i].flags; f != NULL && f->name != NULL; f++)
            out_printf(o, " -%s", f->name);
        out_printf(o, "\" ;;\n");
    }
    out_printf(o, "        esac\n    else\n"
        "        compopt -o default 2>/dev/null\n        return\n    fi\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
        "complete -F _%s %s\n", id, p->name);
}

/* In zsh's descriptions a colon and brackets mean something. */
static void
zsh_text(struct out *o, const char *s)
{
    char line[512];
    const char *p;

    one_line(line, sizeof line, s);
    for (p = line; *p != '\0'; p++) {
        if (*p == '\'')
            out_printf(o, "'\\''");
        else
            out_printf(o, strchr(":[]\\", *p) != NULL ? "\\%c" : "%c", *p);
    }
}

static void
zsh(struct out *o, const struct doc_prog *p)
{
    const struct arg_flag *f;
    char id[64];
    int i;

    identifier(id, sizeof id, p->name);
    out_printf(o, "#compdef %s\n_%s()\n{\n    local -a commands\n"
        "    commands=(\n        'help:explain a command'\n", p->name, id);
    for (i = 0; i < p->ncmds; i++) {
        out_printf(o, "        '%s:", p->cmds[i].name);
        zsh_text(o, p->cmds[i].brief);
        out_printf(o, "'\n");
    }
    out_printf(o, "    )\n    if (( CURRENT == 2 )); then\n"
        "        _describe command commands\n%s        return\n    fi\n"
        "    local cmd=$words[2]\n"
        "    shift words\n    (( CURRENT-- ))\n    case $cmd in\n"
        "    help) _describe command commands ;;\n",
        p->plain == NULL ? "" : "        _files\n");
    for (i = 0; i < p->ncmds; i++) {
        out_printf(o, "    %s)\n        _arguments \\\n",
            p->cmds[i].name);
        for (f = p->cmds[i].flags; f != NULL && f->name != NULL; f++) {
            out_printf(o, "            '-%s[", f->name);
            zsh_text(o, f->help);
            out_printf(o, "]%s%s%s' \\\n", f->arg != NULL ? ":" : "",
                f->arg != NULL ? f->arg : "", f->arg == NULL ? ""
                    : strcmp(f->arg, "OUT") == 0 ||
                        strcmp(f->arg, "file") == 0 ? ":_files" : ":");
        }
        out_printf(o, "            '*:file:_files' ;;\n");
    }
    out_printf(o, "    esac\n}\n_%s \"$@\"\n", id);
}

static void
fish(struct out *o, const struct doc_prog *p)
{
    const struct arg_flag *f;
    int i;

    out_printf(o, "# fish completion of %s\n"
        "complete -c %s -n __fish_use_subcommand -f -a help -d "
        "'explain a command'\n", p->name, p->name);
    for (i = 0; i < p->ncmds; i++) {
        const struct doc_cmd *c = &p->cmds[i];

        out_printf(o, "complete -c %s -n __fish_use_subcommand -f -a %s -d ",
            p->name, c->name);
        quoted(o, c->brief);
        out_printf(o, "\ncomplete -c %s -n '__fish_seen_subcommand_from "
            "help' -f -a %s\n", p->name, c->name);
        for (f = c->flags; f != NULL && f->name != NULL; f++) {
            out_printf(o, "complete -c %s -n '__fish_seen_subcommand_from "
                "%s' -o %s %s-d ", p->name, c->name, f->name,
                f->kind == ARG_BOOL ? "" : "-r ");
            quoted(o, f->help);
            out_printf(o, "\n");
        }
    }
}

bool
doc_write(struct out *o, const struct doc_prog *p, const char *word)
{
    static const struct {
        const char *word;
        void (*write)(struct out *o, const struct doc_prog *p);
    } formats[] = {{"-man", man}, {"-bash", bash}, {"-zsh", zsh},
        {"-fish", fish}};
    size_t i;

    for (i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].word, word) == 0) {
            formats[i].write(o, p);
            return true;
        }
    }
    return false;
}
