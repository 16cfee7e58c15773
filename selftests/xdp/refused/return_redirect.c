// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* return_redirect.c - a verdict that the card treats as an abort */
#include "../programs/diff.h"

SEC("xdp") int PROG(return_redirect, 60)
{
	if (P8(14) == 1)	/* notes: redirect */
		return XDP_REDIRECT;
	return XDP_PASS;
}
