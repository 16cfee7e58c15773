/* SPDX-License-Identifier: BSD-2-Clause */
/* pit_check.h - the checks of pit.h, for ME processes. */
#ifndef PIT_CHECK_H
#define PIT_CHECK_H

#include <nfp.h>

#include "pit.h"

/**
 * pit_whole() - check a message of struct pit_msg
 * @o: the senders that the caller knows
 * @msg: the message
 * @len: bytes of the message
 *
 * Return: whether the message has the sum that it says, and is the next of its sender. A message
 * that is no struct pit_msg is right.
 */
__swaps int pit_whole(struct pit_order *o, const __mem40 void *msg, unsigned int len);

/**
 * pit_stream() - check the next part of a stream
 * @r: how much of a stream the caller has seen
 * @data: the part
 * @len: bytes of the part
 *
 * Return: whether the bytes are those of the stream that struct pit_stream has announced. Bytes
 * that no struct pit_stream has announced are right.
 */
__swaps int pit_stream(struct pit_reader *r, const __mem40 void *data, unsigned int len);

#endif /* PIT_CHECK_H */
