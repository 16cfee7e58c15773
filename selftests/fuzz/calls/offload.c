// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* offload.c - an XDP program in the card, to whose event map programs can bind channels. */
#include "xdp/programs/offload.h"
#include "fuzz.h"

static struct bpf_object *obj;

void offload_init(void)
{
	obj = offload_load(OFFLOAD_HOOK, offload_ifindex());
	setup.map_fd = obj ? bpf_object__find_map_fd_by_name(obj, "events") : -1;
	if (setup.map_fd < 0)
		die(OFFLOAD_HOOK);
	setup.card_fd = offload_prog(obj);
}

/* Offload the program again: unbinding nfp has removed it from the card. */
void offload_again(void)
{
	bpf_object__close(obj);
	offload_init();
}
