// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf_caps.c - the symbols by which the driver finds the BPF application: its id, and its
 * capabilities as {type, length, value} of little-endian words (bpf/fw.h).
 */
#include <string.h>

#include "bpf_caps.h"
#include "bpf_maps.h"
#include "bpf_prog.h"
#include "bytes.h"
#include "mem_map.h"
#include "xdp.h"

#define APP_BPF			2	/* nfp_app.h: NFP_APP_BPF_NIC */

#define CAP_FUNC		1
#define CAP_ADJUST_HEAD		2
#define CAP_MAPS		3
#define CAP_RANDOM		4
#define CAP_QUEUE_SELECT	5
#define CAP_ADJUST_TAIL		6
#define CAP_ABI_VERSION		7
#define CAP_CMSG_MULTI_ENT	8

/* linux/bpf.h: enum bpf_func_id */
#define FUNC_MAP_LOOKUP		1
#define FUNC_MAP_UPDATE		2
#define FUNC_MAP_DELETE		3
#define FUNC_PERF_EVENT_OUTPUT	25

/*
 * Offsets that CAP_ADJUST_HEAD tells the host. A program that moves the start of a packet by at
 * most HEAD_SUB bytes down or HEAD_ADD bytes up, from where the MAC has put it, need not check
 * the absolute limits. The values are those of the NIC firmware (ebpf.uc); the room in front
 * would allow 8 more.
 */
#define HEAD_NO_META		(1u << 0)
#define HEAD_SUB		84
#define HEAD_ADD		112

#define CAP_WORDS_MAX		8	/* words of a capability, including type and length */

/*
 * Capabilities. The option bpf-helpers= selects among those with a name; the others are always
 * there.
 */
static const struct {
	const char *name;
	uint32_t word[CAP_WORDS_MAX];
} caps[] = {
	{ NULL, { CAP_ABI_VERSION, 4, BD_BPF_ABI } },
	{ "lookup", { CAP_FUNC, 8, FUNC_MAP_LOOKUP, BD_USTORE_LOOKUP } },
	{ "update", { CAP_FUNC, 8, FUNC_MAP_UPDATE, BD_USTORE_UPDATE } },
	{ "delete", { CAP_FUNC, 8, FUNC_MAP_DELETE, BD_USTORE_DELETE } },
	{ "event", { CAP_FUNC, 8, FUNC_PERF_EVENT_OUTPUT, BD_USTORE_EVENT } },
	{ "adjust_head", { CAP_ADJUST_HEAD, 20, HEAD_NO_META, BD_XDP_OFF_MIN, BD_XDP_OFF_MAX,
			   HEAD_SUB, HEAD_ADD } },
	{ "adjust_tail", { CAP_ADJUST_TAIL, 0 } },
	{ "random", { CAP_RANDOM, 0 } },
	{ "queue", { CAP_QUEUE_SELECT, 0 } },
	{ NULL, { CAP_MAPS, 24, 1u << BD_MAP_HASH | 1u << BD_MAP_ARRAY, BD_MAPS_MAX,
		  BD_MAP_ELEMS_MAX, BD_MAP_KEY_MAX, BD_MAP_VALUE_MAX, BD_MAP_ELEM_MAX } },
	{ NULL, { CAP_CMSG_MULTI_ENT, 0 } },
};

/* Return: the bit of capability @name in bd_ustore.without, or 0 if there is none of that name. */
static uint32_t cap_bit(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(caps); i++)
		if (caps[i].name && strlen(caps[i].name) == len && !memcmp(caps[i].name, name, len))
			return 1u << i;
	return 0;
}

bool bd_bpf_helpers(struct board *b, const char *list)
{
	uint32_t without = 0, bit;
	unsigned int i;
	size_t len;

	for (i = 0; i < ARRAY_SIZE(caps); i++)
		if (caps[i].name)
			without |= 1u << i;
	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		bit = cap_bit(list, len);
		/* An unknown name, or a comma at the end. */
		if (!bit || (list[len] && !list[len + 1]))
			return false;
		without &= ~bit;
	}
	b->ustore->without = without;
	return true;
}

/* The firmware restarts: free all maps and programs. */
void bd_bpf_reset(struct board *b)
{
	bd_maps_reset(b);
	bd_prog_reset(b);
	bd_xdp_reset(b);
}

void bd_bpf_symbols(struct board *b)
{
	uint8_t *p = board_mem_ptr(b, BD_BPFCAP_ADDR, sizeof(caps));
	uint32_t at = 0, i, j;

	for (i = 0; i < ARRAY_SIZE(caps); i++) {
		if (b->ustore->without >> i & 1)
			continue;
		for (j = 0; j < 2 + caps[i].word[1] / 4; j++, at += 4)
			bd_put32(p + at, caps[i].word[j]);
	}
	bd_put32(board_mem_ptr(b, BD_APPID_ADDR, 4), APP_BPF);
	board_symbol(b, "_pf0_net_ctrl_bar", BD_CTRL_ADDR, BD_VNIC_SIZE);
	board_symbol(b, "_abi_bpf_capabilities", BD_BPFCAP_ADDR, at);
}

const struct bd_nic_app bd_bpf_app = {
	.bar = bd_prog_bar, .load = bd_prog_load, .loaded = bd_prog_loaded,
	.frame = bd_xdp_frame, .room = bd_xdp_room, .message = bd_ccm_message,
};
