/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_SYNTAX_AST_H
#define RUNTIME_LANG_SYNTAX_AST_H

/*
 * The syntax tree of one Go file.
 *
 * Nodes live in the arena of the compilation and are never freed one by one.
 * An expression or statement node is allocated only as long as its kind
 * needs, so: never copy a node by value, never declare one on the C stack,
 * touch only the union member that belongs to the kind.  Lists are arrays
 * (pointer and count) in the arena.
 *
 * Positions.  `pos` is the position of the token that is peculiar to the
 * node, as in Go's own compiler: the operator of a binary expression, the
 * `(` of a call, the `[` of an index, slice or array type, the `.` of a
 * selector or assertion, the `{` of a composite literal, the operator of an
 * assignment, send or ++, the token behind `func` for a function type (but
 * `func` itself for a literal); for everything else the first token.  The
 * leftmost position of an expression is ast_expr_start().
 *
 * Depth.  Passes over the tree recurse.  A compilation runs where there is
 * much C stack (parse_use_stack()); no path from the root of a file to a leaf
 * has more nodes of "real" nesting than fit there, AST_LEVEL_BYTES for each:
 * beyond that the parser reports an error.  Two shapes are not counted and may
 * be as long as the file:
 *
 *  - the left spine of binary expressions, a + b + c + ...: walk it in a loop,
 *    down to the first x that is no such expression and up again, and recurse
 *    only into the right operands and the leftmost one;
 *  - else-if chains: `ast_stmt.if_.els` of an if may be another if, and so
 *    on; walk it in a loop.
 *
 * Chains of calls, selectors, indexes, unary operators, parentheses, types,
 * blocks and function literals are all counted: plain recursion is fine.
 *
 * Sharing.  In `a, b T` both fields point to the same type node; in a const
 * group an implicitly repeated expression list is the same list (see
 * ast_decl.cnst).  Nothing else is shared.
 *
 * After syntax errors a tree may hold EXPR_BAD and NULL where this file says
 * "never NULL"; a tree is checked only if parsing reported nothing.
 */

#include "runtime/base/compiler.h"
#include "runtime/lang/syntax/name.h"
#include "runtime/lang/syntax/source.h"
#include "runtime/lang/syntax/token.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ast_block;
struct ast_decl;
struct ast_expr;
struct ast_field;
struct ast_stmt;

/* Owned by the checker. */
struct constv;   /* constant value */
struct object;   /* declared entity */
struct scope;
struct selection; /* how a selector reaches its field or method */
struct type;

/* What a pass may take of the C stack for one level of nesting. */
enum { AST_LEVEL_BYTES = RT_ASAN || RT_TSAN ? 5120 : 1280 };

/* Lists. */

struct ast_exprs {
    struct ast_expr **at;
    uint32_t n;
};

struct ast_stmts {
    struct ast_stmt **at;
    uint32_t n;
};

struct ast_fields {
    struct ast_field **at;
    uint32_t n;
};

struct ast_decls {
    struct ast_decl **at;
    uint32_t n;
};

/* An identifier that is not an expression: a declared name, a label. */
struct ast_ident {
    const struct lang_name *name; /* NULL = absent */
    lang_pos pos;
};

/* Expressions and types. */

enum ast_expr_kind {
    EXPR_BAD = 0,
    /* operands */
    EXPR_NAME,      /* x */
    EXPR_LIT,       /* 12 'a' "s"; op = enum lang_lit */
    EXPR_COMPOSITE, /* T{...} or {...} inside another one */
    EXPR_KEYVALUE,  /* k: v, only inside a composite literal */
    EXPR_FUNCLIT,   /* func(...) {...} */
    EXPR_PAREN,     /* (x) */
    /* primary expressions */
    EXPR_SELECTOR,  /* x.f, also pkg.X and T.Method */
    EXPR_INDEX,     /* x[i]; with several indices an instantiation F[A, B] */
    EXPR_SLICE,     /* x[i:j] x[i:j:k] */
    EXPR_ASSERT,    /* x.(T) */
    EXPR_TYPEGUARD, /* x.(type): only as ast_stmt.tswitch.guard */
    EXPR_CALL,      /* f(a, b...), conversions and make(T) too */
    /* operators */
    EXPR_UNARY,     /* op = TOK_ADD SUB XOR NOT AND ARROW TILDE; see below */
    EXPR_STAR,      /* *x: dereference or pointer type */
    EXPR_BINARY,    /* op = a binary TOK; in a constraint | is a union */
    /* types; a type may also be NAME SELECTOR INDEX PAREN STAR */
    EXPR_ARRAY,     /* [n]T, [...]T */
    EXPR_SLICETYPE, /* []T */
    EXPR_STRUCT,    /* struct{...} */
    EXPR_FUNCTYPE,  /* func(...) ... */
    EXPR_INTERFACE, /* interface{...} */
    EXPR_MAP,       /* map[K]V */
    EXPR_CHAN,      /* chan T, <-chan T, chan<- T */
    EXPR_ELLIPSIS,  /* ...T as the type of the last parameter */
    EXPR_KIND_COUNT
};

/*
 * What an expression denotes (ast_expr.mode), filled by the checker.  A
 * constant has cv != NULL.
 */
enum ast_mode {
    MODE_NONE = 0,     /* not checked, or in error */
    MODE_NOVALUE,      /* call of a function without results */
    MODE_BUILTIN,      /* built-in function */
    MODE_TYPE,         /* a type; `type` is the type itself */
    MODE_PACKAGE,      /* imported package name (the x of pkg.X) */
    MODE_CONST,        /* constant; value in cv */
    MODE_VAR,          /* addressable variable */
    MODE_MAPINDEX,     /* m[k]: assignable, not addressable, comma-ok */
    MODE_VALUE,        /* computed value */
    MODE_NIL,          /* untyped nil */
    MODE_COMMAOK,      /* value with an optional second bool: <-c, x.(T) */
    MODE_TUPLE         /* call with several results; type is a tuple */
};

/* ast_expr.flags.  The low ones are the parser's, the high the checker's. */
enum {
    AST_F_DOTS = 1 << 0,      /* CALL: f(x...); ARRAY: [...]T */
    AST_F_FULL = 1 << 1,      /* SLICE: x[i:j:k] */
    AST_F_LAZY = AST_F_FULL,  /* COMPOSITE: the elements have been skipped; they
                                 neither call nor receive anything */
    AST_F_LENDS = AST_F_FULL, /* CALL, the generator's: the memory of what it
                                 returns is the caller's */
    AST_F_IMPLICIT = 1 << 2,  /* INTERFACE: made from a constraint literal
                                 such as [T ~int] */
    AST_F_BOX_STAYS = AST_F_IMPLICIT, /* others, the generator's: nobody keeps
                                 the memory that holds its value for an
                                 interface */
    AST_F_STAYS = 1 << 3,     /* the generator's: nobody keeps the memory that
                                 it makes */
    AST_F_COMMAOK = 1 << 4,   /* used in the two-valued form v, ok = ... */
    AST_F_CONVERSION = 1 << 5, /* CALL: a conversion T(x) */
    AST_F_USER1 = 1 << 6,     /* free for checker and generator */
    AST_F_INST = 1 << 7       /* PAREN: was an INDEX, F[A], and is the
                                 instance now */
};

/* ast_expr.op of EXPR_CHAN. */
enum ast_chan_dir {
    CHAN_BOTH = 0,
    CHAN_SEND = 1, /* chan<- T */
    CHAN_RECV = 2  /* <-chan T */
};

/* Parameters and results of a function; body apart. */
struct ast_signature {
    lang_pos pos;              /* the `func` keyword, or the method's name */
    struct ast_fields tparams; /* type parameters; type = constraint */
    struct ast_fields params;  /* the last may have an EXPR_ELLIPSIS type */
    struct ast_fields results; /* all named or all unnamed */
};

/*
 * Struct field, parameter, result, type parameter, interface method or
 * embedded interface element.
 */
struct ast_field {
    struct ast_ident name;  /* name.name NULL: unnamed parameter, embedded
                               interface element; an embedded struct field
                               has NULL here too: its name follows from the
                               type */
    struct ast_expr *type;  /* never NULL; EXPR_FUNCTYPE for an interface
                               method; the same node as that of the previous
                               field in `a, b T` */
    struct ast_expr *tag;   /* EXPR_LIT or NULL; shared like type; the
                               checker reports a literal that is no string */
    lang_pos pos;           /* name, or start of the type */
    uint8_t embedded;       /* struct field or interface element without a
                               name */
    struct object *obj;     /* checker */
};

/* Function body, with what a later phase hangs on a function. */
struct ast_func {
    struct ast_signature *sig;
    struct ast_block *body; /* NULL: declared without one, or not parsed yet
                               (see lazy) */
    uint8_t lazy;           /* body present in the source, skipped so far:
                               parse_func_body() makes it */
    lang_pos lbrace;        /* of the body; 0 without body */
    lang_pos rbrace;
    struct ast_file *file;
    struct scope *scope;    /* checker: scope of the parameters */
    void *info;             /* checker: captures, labels, locals */
};

struct ast_block {
    lang_pos lbrace;
    lang_pos rbrace;
    struct ast_stmts stmts;
    struct scope *scope; /* checker */
};

struct ast_expr {
    lang_pos pos;
    uint8_t kind;  /* enum ast_expr_kind */
    uint8_t op;    /* enum lang_tok, lang_lit or ast_chan_dir, by kind */
    uint8_t mode;  /* enum ast_mode; checker */
    uint8_t flags; /* AST_F_* */
    /* Filled by the checker. */
    struct type *type;
    const struct constv *cv; /* constant value or NULL */
    struct object *obj; /* NAME, SELECTOR: what it resolves to; else free */
    union {
        const struct lang_name *name; /* NAME */
        struct {
            const char *text; /* as in the source, quotes included; not
                                 NUL-terminated; it lies in the file's text.
                                 A raw string may hold \r, which do not
                                 count */
            uint32_t len;
            uint8_t bad;      /* malformed, reported already */
        } lit;
        struct {
            struct ast_expr *type; /* NULL: elided, {...} in a literal */
            struct ast_exprs elems; /* some or all KEYVALUE */
            uint32_t nkey;         /* how many of them are KEYVALUE */
            lang_pos rbrace;
        } composite;
        struct {
            struct ast_expr *key;
            struct ast_expr *value;
        } kv;
        struct ast_func *func;        /* FUNCLIT */
        struct ast_expr *x;           /* PAREN, STAR, TYPEGUARD */
        struct {
            struct ast_expr *x;
            struct ast_ident sel;
            struct selection *how;    /* checker: path through embedded
                                         fields, method, indirections */
        } selector;
        struct {
            struct ast_expr *x;
            struct ast_exprs at;      /* at least 1 */
            lang_pos rbrack;
            void *inst;               /* checker: instance of a generic */
        } index;
        struct {
            struct ast_expr *x;
            struct ast_expr *lo, *hi, *max; /* NULL where absent */
        } slice;
        struct {
            struct ast_expr *x;
            struct ast_expr *type;
        } assert_;
        struct {
            struct ast_expr *fun;
            struct ast_exprs args;
            lang_pos rparen;
            uint32_t builtin;         /* checker: id when fun is a built-in */
            void *info;               /* checker or generator */
        } call;
        struct {
            struct ast_expr *x;
        } unary;
        struct {
            struct ast_expr *x;       /* may be a long left spine */
            struct ast_expr *y;
        } binary;
        struct {
            struct ast_expr *len;     /* NULL with AST_F_DOTS */
            struct ast_expr *elem;
        } array;
        struct ast_expr *elem;        /* SLICETYPE, CHAN, ELLIPSIS */
        struct {
            struct ast_fields fields;
            lang_pos rbrace;
        } struct_;
        struct ast_signature *sig;    /* FUNCTYPE */
        struct {
            struct ast_fields elems;  /* methods and embedded elements, in
                                         source order; an element is a type,
                                         ~T (UNARY) or a union (BINARY OR) */
            lang_pos rbrace;
        } iface;
        struct {
            struct ast_expr *key;
            struct ast_expr *value;
        } map;
    };
};

/* Declarations. */

enum ast_decl_kind {
    DECL_BAD = 0,
    DECL_IMPORT,
    DECL_CONST,
    DECL_TYPE,
    DECL_VAR,
    DECL_FUNC /* functions and methods; top level only */
};

/* One spec: `var (a = 1; b = 2)` gives two DECL_VAR of the same group. */
struct ast_decl {
    lang_pos pos;       /* first name of the spec; a method: its receiver's
                           `(` */
    uint8_t kind;       /* enum ast_decl_kind */
    uint8_t mark;       /* free for the checker */
    lang_pos group;     /* the keyword: the same for all specs of one
                           parenthesised group */
    struct ast_file *file;
    struct object *obj; /* checker: TYPE, FUNC, IMPORT */
    const struct ast_directive *dir; /* //go: comments right before the
                                        declaration, newest first */
    union {
        struct {
            struct ast_ident name; /* local name, "." or "_"; may be absent */
            struct ast_expr *path; /* EXPR_LIT string */
            /* The unquoted path, NUL-terminated; NULL if it was in error.  The
             * checker validates it ("" for instance). */
            const char *value;
            uint32_t value_len;
        } import;
        struct {
            struct ast_ident *names;
            uint32_t nname;
            struct ast_expr *type;   /* as written, may be NULL */
            struct ast_exprs values; /* as written; n 0 = repetition */
            uint32_t iota;           /* index in its group */
            /*
             * The spec whose type and values count: this one, or the last
             * one above with values.  Evaluate from->cnst.values under this
             * spec's iota; the annotations of a shared tree are those of the
             * last evaluation.  NULL if there is none (reported by the
             * checker).
             */
            struct ast_decl *from;
            struct object **objs;    /* checker: nname objects */
        } cnst;
        struct {
            struct ast_ident name;
            struct ast_fields tparams;
            uint8_t alias;           /* type A = B */
            struct ast_expr *type;
        } type;
        struct {
            struct ast_ident *names;
            uint32_t nname;
            struct ast_expr *type;   /* may be NULL */
            struct ast_exprs values; /* may be empty */
            struct object **objs;    /* checker: nname objects */
            const struct ast_embed *embed; /* loader: what a //go:embed
                                        before it names; NULL: there is none */
        } var;
        struct {
            struct ast_ident name;
            struct ast_field *recv;  /* NULL for a function.  The type may be
                                        a NAME, (paren), *T, T[A, B] */
            struct ast_func func;
        } func;
    };
};

/* A `//go:word rest` comment. */
struct ast_directive {
    const struct ast_directive *next; /* the one before it in the source */
    lang_pos pos;
    const char *text; /* from "go:" to the end of the line */
    uint32_t len;
};

/* A file that is part of the program. */
struct ast_embedded {
    const char *name; /* from the folder of the package, "/" between */
    const char *data; /* in memory that lasts as long as the tree */
    size_t len;
};

/* The files of the //go:embed comments before a variable, sorted as package
 * embed wants them: by folder, then by name.  Folders are among them, with a
 * slash behind the name. */
struct ast_embed {
    const struct ast_embedded *files;
    uint32_t n;
};

/* A `//go:linkname local target` comment; no target: NULL. */
struct ast_linkname {
    const struct ast_linkname *next; /* of the same file */
    const struct lang_name *local;
    const char *target; /* "path.name", NUL-terminated */
};

/* A directive before something that cannot have it. */
struct ast_misplaced {
    const struct ast_misplaced *next;
    lang_pos pos;
    const char *text; /* what to say of it */
};

struct ast_file {
    struct lang_file *src;
    const struct ast_misplaced *misplaced; /* reported by the checker, when
                                              nothing else is wrong */
    struct ast_ident package;
    struct ast_decls decls;   /* imports first, all in source order */
    uint32_t nimport;         /* decls.at[0 .. nimport) are the imports */
    const struct ast_directive *dirs; /* all of the file, newest first */
    const struct ast_linkname *linknames; /* newest first */
    struct scope *scope;      /* checker: file scope (imports) */
    bool standard; /* of Go's library, and perhaps patched: imports may be
                      unused, and functions without a body may be natives */
    bool assembly; /* its package has some: functions may lack a body */
    bool patched;             /* declarations were taken out: imports need not
                                 be used */
};

/* Statements. */

enum ast_stmt_kind {
    STMT_EMPTY = 0,
    STMT_EXPR,    /* x */
    STMT_SEND,    /* c <- x */
    STMT_ASSIGN,  /* a, b = x, y;  a += x (op);  a++ (op, rhs.n 0) */
    STMT_DEFINE,  /* a, b := x, y */
    STMT_GO,
    STMT_DEFER,
    STMT_RETURN,
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_GOTO,
    STMT_FALLTHROUGH,
    STMT_BLOCK,
    STMT_IF,
    STMT_SWITCH,
    STMT_TSWITCH,
    STMT_SELECT,
    STMT_FOR,     /* all forms but range */
    STMT_RANGE,
    STMT_LABELED,
    STMT_DECL,    /* const, type or var inside a function */
    STMT_KIND_COUNT
};

/* ast_stmt.flags. */
enum {
    AST_S_BREAK = 1 << 0, /* loop, switch, select: some break leaves it */
    AST_S_SHARED = 1 << 1 /* for, range: as before Go 1.22, all iterations
                             have the same variables */
};

/* One case of a switch or a type switch. */
struct ast_case {
    lang_pos pos;           /* `case` or `default` */
    lang_pos colon;
    uint8_t is_default;
    uint8_t falls;          /* ends in fallthrough */
    struct ast_exprs exprs; /* types in a type switch, where nil may occur */
    struct ast_stmts body;
    struct scope *scope;    /* checker */
    struct object *obj;     /* checker: the symbol of `switch x := y.(type)`
                               in this clause; NULL = unused or none */
};

/* One case of a select. */
struct ast_comm {
    lang_pos pos;
    lang_pos colon;
    struct ast_stmt *comm;  /* NULL = default; else SEND, EXPR, ASSIGN or
                               DEFINE whose right side is a receive, maybe in
                               parentheses (the checker reports others) */
    struct ast_stmts body;
    struct scope *scope;    /* checker */
};

struct ast_stmt {
    lang_pos pos;
    uint8_t kind; /* enum ast_stmt_kind */
    uint8_t op;   /* ASSIGN: the binary operator of op=, TOK_ADD or TOK_SUB
                     of ++ and --, 0 for plain = */
    uint8_t flags; /* AST_S_* */
    uint8_t mark; /* free for checker and generator */
    void *gen; /* generator: jump targets and the like */
    union {
        struct ast_expr *x; /* EXPR; GO and DEFER: the call, parentheses
                               removed (the checker reports another kind of
                               expression) */
        struct {
            struct ast_expr *chan;
            struct ast_expr *value;
        } send;
        struct {                  /* ASSIGN, DEFINE */
            struct ast_exprs lhs; /* DEFINE: the checker reports non-names */
            struct ast_exprs rhs; /* n 0 only for ++ and -- */
            struct object **objs; /* checker, DEFINE: lhs.n entries, the
                                     variable made here or NULL where an old
                                     one is assigned */
        } assign;
        struct {
            struct ast_exprs values;
            struct ast_func *func; /* checker: the function it leaves */
        } ret;
        struct {                  /* BREAK CONTINUE GOTO FALLTHROUGH */
            struct ast_ident label; /* may be absent */
            /*
             * BREAK: the FOR, RANGE, SWITCH, TSWITCH or SELECT it
             * leaves; CONTINUE: the FOR or RANGE; GOTO: the LABELED
             * statement.  Labels of break and continue are resolved to the
             * statement they name.
             */
            struct ast_stmt *target;
        } branch;
        struct ast_block *block;
        struct {
            struct ast_stmt *init; /* NULL = none; simple statement */
            struct ast_expr *cond; /* never NULL */
            struct ast_block *then;
            struct ast_stmt *els;  /* NULL, BLOCK or IF (walk in a loop) */
            struct scope *scope;
        } if_;
        struct {
            struct ast_stmt *init;
            struct ast_expr *tag;  /* NULL = true */
            struct ast_case **cases;
            uint32_t ncase;
            lang_pos lbrace;
            lang_pos rbrace;
            struct scope *scope;
        } switch_;
        struct {
            struct ast_stmt *init;
            struct ast_ident bind;  /* x of `switch x := y.(type)`, or
                                       absent */
            struct ast_expr *guard; /* EXPR_TYPEGUARD */
            struct ast_case **cases;
            uint32_t ncase;
            lang_pos lbrace;
            lang_pos rbrace;
            struct scope *scope;
        } tswitch;
        struct {
            struct ast_comm **comms;
            uint32_t ncomm;
            lang_pos lbrace;
            lang_pos rbrace;
        } select;
        struct {
            struct ast_stmt *init;
            struct ast_expr *cond;  /* NULL = forever */
            struct ast_stmt *post;
            struct ast_block *body;
            struct scope *scope;
            struct object **vars;   /* checker: the loop variables, fresh in
                                       each iteration */
            uint32_t nvar;
        } for_;
        struct {
            struct ast_expr *key;   /* may be NULL: for range x */
            struct ast_expr *value; /* may be NULL */
            struct ast_expr *extra; /* a third one: always an error of the
                                       checker; else NULL */
            uint8_t define;         /* := rather than = */
            lang_pos range;         /* the `range` keyword */
            struct ast_expr *x;
            struct ast_block *body;
            struct scope *scope;
            struct object *kobj;    /* checker: variables made by := */
            struct object *vobj;
            uint32_t number; /* checker: of a loop over a function, in the
                                function that it stands in */
        } range;
        struct {
            struct ast_ident label;
            struct ast_stmt *stmt;  /* never NULL; EMPTY before a } */
            uint8_t used;           /* some branch names it */
        } labeled;
        struct {
            struct ast_decls decls; /* the specs of one const, type or var */
        } decl;
    };
};

/* Helpers (ast.c). */

/* Without parentheses around it. */
struct ast_expr *ast_unparen(struct ast_expr *e);

/* Position of the first token, where messages point; loops along left spines.
 * It stops at the [ of a slice expression, as Go's compiler does. */
lang_pos ast_expr_start(const struct ast_expr *e);

/* Is it the directive of that name, "go:embed"? */
bool ast_is_directive(const struct ast_directive *d, const char *name);

/* "EXPR_CALL" as "call", for dumps and internal messages. */
const char *ast_expr_kind_name(enum ast_expr_kind k);
const char *ast_stmt_kind_name(enum ast_stmt_kind k);

/*
 * Writes the expression as Go source in the form that messages use (one
 * space around every binary operator, func bodies as {…}, composite literals
 * as T{…}), truncated to size with the NUL; returns buf.
 */
char *ast_expr_string(const struct ast_expr *e, char *buf, size_t size);

/* Writes the tree of a file, declaration or expression as indented text. */
void ast_dump(FILE *out, const struct lang_sources *src,
    const struct ast_file *file);
void ast_dump_decl(FILE *out, const struct lang_sources *src,
    const struct ast_decl *d);
void ast_dump_expr(FILE *out, const struct lang_sources *src,
    const struct ast_expr *e);

#endif
