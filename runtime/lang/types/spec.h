/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_LANG_TYPES_SPEC_H
#define RUNTIME_LANG_TYPES_SPEC_H

/*
 * Bodies of generic functions for one list of type arguments.
 *
 * A generic body is checked once, its operands having types that mention type
 * parameters.  For each instance that the generator reaches its checked tree
 * is copied with the arguments in place, and the generator sees an ordinary
 * function.
 *
 * Why not check a copy with the parameters bound: T(1) << 40 and the length
 * of a T would become constants, two cases of a type switch duplicates, and
 * it costs more.  Why not let the generator replace types as it reads them:
 * it would also have to look up selections, round constants and make the
 * instance's local types each time, and one place that forgets it is a wrong
 * program; a copy is small, and is given back with the tree.
 *
 * What a copy has of its own:
 *  - nodes, statements, and the struct func_info of the function and its literals;
 *  - parameters, results and local variables;
 *  - types declared in the body, which are others for each instance and are
 *    named after its arguments, as in Go;
 *  - selections, looked up anew where the operand's type is another one;
 *  - constants: those that had a parameter as their type are rounded to what
 *    it stands for; len, cap and unsafe's that waited for the type are
 *    computed where they are constants of the instance.
 * Scopes and the parts of types are not copied: no later phase reads them.
 *
 * A type switch may list a type twice in an instance; the first one counts.
 */

#include <stdbool.h>

struct check;
struct object;

/*
 * Gives an instance of a generic function or method (object.h: origin), whose
 * type arguments mention no type parameters, a body: decl, info and type of
 * its own.  The origin's body is checked on the way if it is the library's.
 * Nothing to do for other functions, for instances that have theirs, and for
 * origins without a body.  False if errors were reported.
 */
bool check_func_spec(struct check *c, struct object *fn);

#endif
