/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_VM_RACE_FORMS_H
#define RUNTIME_VM_RACE_FORMS_H

/*
 * The column `access` of opcode.def as macros, which become
 * one(name, where, how, bytes) or by(name), or nothing where the instruction
 * has no checked form.  CALLN's body is written out: it is the one that does
 * not go on in the plain form's.
 */
#define RACE_FORM_no(name, one, by)
#define RACE_FORM_by(name, one, by)   by(name)
#define RACE_FORM_self(name, one, by)
#define RACE_FORM_rp1(name, one, by)  one(name, p, read, 1u)
#define RACE_FORM_rp2(name, one, by)  one(name, p, read, 2u)
#define RACE_FORM_rp4(name, one, by)  one(name, p, read, 4u)
#define RACE_FORM_rp8(name, one, by)  one(name, p, read, 8u)
#define RACE_FORM_rp16(name, one, by) one(name, p, read, 16u)
#define RACE_FORM_rp24(name, one, by) one(name, p, read, 24u)
#define RACE_FORM_wp1(name, one, by)  one(name, p, write, 1u)
#define RACE_FORM_wp2(name, one, by)  one(name, p, write, 2u)
#define RACE_FORM_wp4(name, one, by)  one(name, p, write, 4u)
#define RACE_FORM_wp8(name, one, by)  one(name, p, write, 8u)
#define RACE_FORM_wp16(name, one, by) one(name, p, write, 16u)
#define RACE_FORM_wp24(name, one, by) one(name, p, write, 24u)
#define RACE_FORM_rx1(name, one, by)  one(name, x, read, 1u)
#define RACE_FORM_rx2(name, one, by)  one(name, x, read, 2u)
#define RACE_FORM_rx4(name, one, by)  one(name, x, read, 4u)
#define RACE_FORM_rx8(name, one, by)  one(name, x, read, 8u)
#define RACE_FORM_rx16(name, one, by) one(name, x, read, 16u)
#define RACE_FORM_rx24(name, one, by) one(name, x, read, 24u)
#define RACE_FORM_wx1(name, one, by)  one(name, x, write, 1u)
#define RACE_FORM_wx2(name, one, by)  one(name, x, write, 2u)
#define RACE_FORM_wx4(name, one, by)  one(name, x, write, 4u)
#define RACE_FORM_wx8(name, one, by)  one(name, x, write, 8u)
#define RACE_FORM_wx16(name, one, by) one(name, x, write, 16u)
#define RACE_FORM_ra1(name, one, by)  one(name, a, read, 1u)
#define RACE_FORM_ra4(name, one, by)  one(name, a, read, 4u)
#define RACE_FORM_ra8(name, one, by)  one(name, a, read, 8u)
#define RACE_FORM_wa1(name, one, by)  one(name, a, write, 1u)
#define RACE_FORM_wa4(name, one, by)  one(name, a, write, 4u)
#define RACE_FORM_wa8(name, one, by)  one(name, a, write, 8u)
#define RACE_FORM_rg1(name, one, by)  one(name, g, read, 1u)
#define RACE_FORM_rg4(name, one, by)  one(name, g, read, 4u)
#define RACE_FORM_rg8(name, one, by)  one(name, g, read, 8u)
#define RACE_FORM_rg16(name, one, by) one(name, g, read, 16u)
#define RACE_FORM_rg24(name, one, by) one(name, g, read, 24u)
#define RACE_FORM_wg1(name, one, by)  one(name, g, write, 1u)
#define RACE_FORM_wg4(name, one, by)  one(name, g, write, 4u)
#define RACE_FORM_wg8(name, one, by)  one(name, g, write, 8u)

#endif
