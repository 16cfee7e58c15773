// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* offload.c - an XDP program on the card, of which programs may have the events. */
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>
#include <net/if.h>

#include "xdp/programs/offload.h"
#include "fuzz.h"

static struct bpf_object *obj;

/* The card's first netdev; 0: none */
static unsigned int netdev(void)
{
	struct dirent **list;
	unsigned int index;
	int n = scandir("/sys/class/nfp_chan/nfp_chan0/device/net", &list, NULL, alphasort);

	index = n > 2 ? if_nametoindex(list[2]->d_name) : 0;
	while (n > 0)
		free(list[--n]);
	if (n == 0)
		free(list);
	return index;
}

void offload_init(void)
{
	obj = offload_load(OFFLOAD_HOOK, netdev());
	setup.map_id = obj ? offload_map_id(obj, "events") : 0;
	if (!setup.map_id)
		die(OFFLOAD_HOOK);
	setup.card_fd = offload_prog(obj);
}

/* What was offloaded is no more when nfp has gone, even if it comes back. */
void offload_again(void)
{
	bpf_object__close(obj);
	offload_init();
}
