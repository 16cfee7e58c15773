// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* roles.c - what a microengine does, told from the names of its run-time symbols. */
#include <fw_graft.h>
#include <stdio.h>
#include <string.h>
#include "firmware.h"

/*
 * Beginnings of symbols of a microengine. The first entry that one of its symbols has is its role:
 * firmware without BPF may have the stack of BPF programs as well, and NFD's parts share names.
 */
static const struct {
	const char *symbol, *role;
} roles[] = {
	{ "_cfg_mes_ids", "application master: configures the workers and the vNICs" },
	{ "EBPF_STACK_BASE", "worker: packets and XDP programs" },
	{ "_PKT_IO_PKT_VEC", "worker: packets" },
	{ "LM_PARTIAL_HEADERS_BASE", "worker: packets and flows" },
	{ "LM_CMSG_BASE", "maps and control messages of BPF" },
	{ "gro_out_lm_", "GRO: puts packets back in order" },
	{ "_msix_rx_entries", "NFD: interrupts" },
	{ "_meids", "NFD: configuration of the vNICs" },
	{ "_seq_nums", "NFD: notifies of packets from the host" },
	{ "_nfd_out_fl_u", "NFD: free buffers and descriptors of packets to the host" },
	{ "_buf_store", "NFD: DMA of packets from the host" },
	{ "_queue_data", "NFD: descriptors of packets from the host" },
	{ "sb_wq_credits", "NFD: stages packets to the host" },
	{ "BLQ0_DESC_LMEM_BASE", "BLM: packet buffers of the MAC" },
};

/* Return the name of a symbol of the microengine, without the prefix "iN.meN.", or NULL. */
static const char *own_name(const struct fw_sym *s, unsigned int island, unsigned int me)
{
	char prefix[32];
	int n = snprintf(prefix, sizeof(prefix), "i%u.me%u.", island, me);

	return strncmp(s->name, prefix, (size_t)n) ? NULL : s->name + n;
}

static bool has(const struct fw_image *img, unsigned int island, unsigned int me,
		const char *symbol)
{
	unsigned int i;

	for (i = 0; i < img->syms; i++) {
		const char *name = own_name(&img->sym[i], island, me);

		if (name && !strncmp(name, symbol, strlen(symbol)))
			return true;
	}
	return false;
}

const char *me_role(const struct fw_image *img, unsigned int island, unsigned int me)
{
	unsigned int i, grafted_island, grafted_me;

	for (i = 0; fw_grafted(img, i, &grafted_island, &grafted_me); i++)
		if (grafted_island == island && grafted_me == me)
			return "grafted code (nfpchan firmware graft)";

	for (i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (has(img, island, me, roles[i].symbol))
			return roles[i].role;
	return NULL;
}
