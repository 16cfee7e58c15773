/* SPDX-License-Identifier: BSD-2-Clause */
/* test_apps.h - messages of the test processes. All fields are little endian. */
#ifndef TEST_APPS_H
#define TEST_APPS_H

#include <stdint.h>
#include <linux/types.h>

/* A message on "tick", "own" and "once" */
struct echo_count {
	__le64 count;
};

/* struct load_req.target */
#define LOAD_POUR	0	/* channel "pour": drops when full */
#define LOAD_LOAD	1	/* channel "load": waits when full */
#define LOAD_RV		2	/* channel "load-rv": rendezvous */

#define LOAD_SIZE_MIN	16
#define LOAD_SIZE_MAX	2048

/**
 * struct load_req - request on "load-ctl": send messages at full speed
 * @count: number of messages
 * @size: bytes of each message, LOAD_SIZE_MIN to LOAD_SIZE_MAX
 * @target: LOAD_*
 * @token: a number that each message repeats
 *
 * A request that is out of range is ignored.
 */
struct load_req {
	__le32 count;
	__le32 size;
	__le32 target;
	__le32 token;
};

/**
 * struct load_msg - beginning of a message that a struct load_req has asked for
 * @seq: counts from 1 in each request
 * @token: of the request
 * @rsvd: 0
 *
 * The byte at each later offset of the message is (uint8_t)(seq + offset).
 */
struct load_msg {
	__le64 seq;
	__le32 token;
	uint32_t rsvd;
};

#endif /* TEST_APPS_H */
