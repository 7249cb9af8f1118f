/* SPDX-License-Identifier: MIT */
#ifndef PROFILE_WIRE_PB_H
#define PROFILE_WIRE_PB_H

/*
 * Protocol buffers, as much of them as profiles need: varints and
 * length-delimited fields.  A message inside another is written in place and
 * its length put before it afterwards.
 */

#include <stddef.h>
#include <stdint.h>

#include "profile/wire/sink.h"

/* A varint field; nothing for 0, as proto3 has it. */
void wire_pb_u64(struct wire_buf *b, uint32_t field, uint64_t v);
void wire_pb_i64(struct wire_buf *b, uint32_t field, int64_t v);
void wire_pb_bool(struct wire_buf *b, uint32_t field, bool v);
/* Bytes or a string; an empty one is written too. */
void wire_pb_bytes(
    struct wire_buf *b, uint32_t field, const void *data, size_t n);
/* Repeated numbers, packed; nothing where n is 0. */
void wire_pb_packed_u64(
    struct wire_buf *b, uint32_t field, const uint64_t *v, size_t n);
void wire_pb_packed_i64(
    struct wire_buf *b, uint32_t field, const int64_t *v, size_t n);

/* Begins a message that is field number `field` of the surrounding one;
 * hand the result to wire_pb_end(). */
size_t wire_pb_begin(struct wire_buf *b, uint32_t field);
void wire_pb_end(struct wire_buf *b, size_t begin);

#endif
