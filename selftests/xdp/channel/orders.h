/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* orders.h - messages of orders.c. */
#ifndef ORDERS_H
#define ORDERS_H

#include <linux/types.h>

#define TOLD_MAX	2000	/* messages for one frame */

/* To the program: a number, and what is to come back. */
struct order {
	__u32 nr;
	__u32 word[3];
};

/* From it, for each of our frames: the frame's number, and the order that it took. */
struct told {
	__u32 frame;
	__u32 taken;	/* 1, or 0: there was none */
	struct order order;
};

#endif /* ORDERS_H */
