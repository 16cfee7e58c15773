/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* An auction in the network: the program of NCL-FIRST.rst. */
#include <stdint.h>
#include <ncl.h>

_net_ _at_("s1") _ctrl_ int32_t reserve;	/* smaller bids do not count */
_net_ _at_("s1") int32_t best;

_net_ _out_ _at_("s1") _win_(1) void bid(int32_t *price)
{
	if (*price >= reserve && *price > best)
		best = *price;
	*price = best;
	_reflect();
}

/* ---- the hosts' code ---- */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int32_t price = argc > 1 ? atoi(argv[argc - 1]) : 0;
	struct ncrt_wnd wnd = { .size = sizeof(wnd), .flags = NCRT_BACK };
	int64_t ret;

	if (argc == 3 && !strcmp(argv[1], "reserve"))
		ret = ncl_ctrl_wr(&reserve, price);
	else
		ret = ncl_out(bid, &wnd, ncl_array(&price, 1));
	if (ret < 0)
		return fprintf(stderr, "auction: %s\n", ncl_error()), 1;
	printf("%d\n", price);
	return 0;
}
