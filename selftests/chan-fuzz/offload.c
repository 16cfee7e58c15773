// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* offload.c - an XDP program on the card, of which programs may have the events. */
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <net/if.h>

#include "fuzz.h"

#define OBJECT	"build/guest/xdp/hook.o"

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
	struct bpf_map_info map = { 0 };
	uint32_t len = sizeof(map);
	struct bpf_program *prog;

	obj = bpf_object__open_file(OBJECT, NULL);
	if (!obj)
		die(OBJECT);
	prog = bpf_object__next_program(obj, NULL);
	bpf_program__set_ifindex(prog, netdev());
	if (bpf_object__load(obj) ||
	    bpf_map_get_info_by_fd(bpf_object__find_map_fd_by_name(obj, "events"), &map, &len))
		die("a program on the card");
	setup.card_fd = bpf_program__fd(prog);
	setup.map_id = map.id;
}

/* What was offloaded is no more when nfp has gone, even if it comes back. */
void offload_again(void)
{
	bpf_object__close(obj);
	offload_init();
}
