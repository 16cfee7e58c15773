/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* orders.h - messages of orders.c. */
#ifndef ORDERS_H
#define ORDERS_H

#include <linux/types.h>

#define ORDERS		16	/* orders that the channel holds */
#define TOLD_MAX	2000	/* most messages for one frame */

/* Message to the program: a number, and data that the program returns */
struct order {
	__u32 nr;
	__u32 word[3];
};

/* Message from the program for each frame of the test: its number, and the received order */
struct told {
	__u32 frame;
	__u32 taken;	/* 1 if there was an order, else 0 */
	struct order order;
	__u32 nr;	/* number of the order, or of the next one */
};

#endif /* ORDERS_H */
