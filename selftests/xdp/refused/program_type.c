// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* program_type.c - a program that is not for packets */
#include "../programs/diff.h"

SEC("socket") int program_type(struct __sk_buff *skb)	/* refused whole: program-type */
{
	return skb->len > 100;
}
