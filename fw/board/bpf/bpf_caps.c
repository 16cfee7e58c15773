// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf_caps.c - what the card says of its BPF application: its id, and what it
 * can do, as {type, length, value} of little-endian words (bpf/fw.h).
 */
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
 * By how much a packet's start can move, from where the MAC puts it, without a look
 * at the least and the most place. These are the NIC firmware's (ebpf.uc); 8 bytes
 * more would fit in front.
 */
#define HEAD_NO_META		(1u << 0)
#define HEAD_SUB		84
#define HEAD_ADD		112

static const uint32_t caps[] = {
	CAP_ABI_VERSION, 4, BD_BPF_ABI,
	CAP_FUNC, 8, FUNC_MAP_LOOKUP, BD_USTORE_LOOKUP,
	CAP_FUNC, 8, FUNC_MAP_UPDATE, BD_USTORE_UPDATE,
	CAP_FUNC, 8, FUNC_MAP_DELETE, BD_USTORE_DELETE,
	CAP_FUNC, 8, FUNC_PERF_EVENT_OUTPUT, BD_USTORE_EVENT,
	CAP_ADJUST_HEAD, 20, HEAD_NO_META, BD_XDP_OFF_MIN, BD_XDP_OFF_MAX, HEAD_SUB, HEAD_ADD,
	CAP_MAPS, 24, 1u << BD_MAP_HASH | 1u << BD_MAP_ARRAY, BD_MAPS_MAX, BD_MAP_ELEMS_MAX,
	BD_MAP_KEY_MAX, BD_MAP_VALUE_MAX, BD_MAP_ELEM_MAX,
	CAP_RANDOM, 0,
	CAP_QUEUE_SELECT, 0,
	CAP_ADJUST_TAIL, 0,
	CAP_CMSG_MULTI_ENT, 0,
};

/* The firmware starts anew: no map, no program. */
void bd_bpf_reset(struct board *b)
{
	bd_maps_reset(b);
	bd_prog_reset(b);
	bd_xdp_reset(b);
}

void bd_bpf_symbols(struct board *b)
{
	uint8_t *p = board_mem_ptr(b, BD_BPFCAP_ADDR, sizeof(caps));
	unsigned int i;

	for (i = 0; i < sizeof(caps) / sizeof(caps[0]); i++)
		bd_put32(p + 4 * i, caps[i]);
	bd_put32(board_mem_ptr(b, BD_APPID_ADDR, 4), APP_BPF);
	board_symbol(b, "_pf0_net_ctrl_bar", BD_CTRL_ADDR, BD_VNIC_SIZE);
	board_symbol(b, "_abi_bpf_capabilities", BD_BPFCAP_ADDR, sizeof(caps));
}

const struct bd_nic_app bd_bpf_app = {
	.bar = bd_prog_bar, .load = bd_prog_load, .loaded = bd_prog_loaded,
	.frame = bd_xdp_frame, .message = bd_ccm_message,
};
