// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf_caps.c - the symbols by which the driver finds the BPF application: its id, and its
 * capabilities as {type, length, value} of little-endian words (bpf/fw.h).
 */
#include <linux/bpf.h>
#include <string.h>

#include "bpf_caps.h"
#include "bpf_maps.h"
#include "bpf_prog.h"
#include "bytes.h"
#include "mem_map.h"
#include "nffw.h"
#include "bpf_frame.h"

/* Capabilities with a name in option bpf-helpers=. @func: the helper of a capability FUNC. */
static const struct {
	const char *name;
	uint32_t type;
	uint32_t func;
} names[] = {
	{ "lookup", FW_CAP_FUNC, BPF_FUNC_map_lookup_elem },
	{ "update", FW_CAP_FUNC, BPF_FUNC_map_update_elem },
	{ "delete", FW_CAP_FUNC, BPF_FUNC_map_delete_elem },
	{ "event", FW_CAP_FUNC, BPF_FUNC_perf_event_output },
	{ "adjust_head", FW_CAP_ADJUST_HEAD, 0 },
	{ "adjust_tail", FW_CAP_ADJUST_TAIL, 0 },
	{ "random", FW_CAP_RANDOM, 0 },
	{ "queue", FW_CAP_QUEUE_SELECT, 0 },
};

/* Return: the bit of capability @name in bd_ustore.helpers, or 0 if there is none of that name. */
static uint32_t name_bit(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len))
			return 1u << i;
	return 0;
}

bool bd_bpf_helpers(struct board *b, const char *list)
{
	uint32_t helpers = 0, bit;
	size_t len;

	for (; list && *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		bit = name_bit(list, len);
		/* An unknown name, or a comma at the end. */
		if (!bit || (list[len] && !list[len + 1]))
			return false;
		helpers |= bit;
	}
	b->ustore->helpers = helpers;
	b->ustore->helpers_set = list != NULL;
	return true;
}

/* Return: the bit of a capability, or 0 if it has no name. */
static uint32_t cap_bit(uint32_t type, const uint8_t *value)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].type == type &&
		    (type != FW_CAP_FUNC || names[i].func == bd_get32(value)))
			return 1u << i;
	return 0;
}

/*
 * Append the capabilities of @p to @to, in which *@len bytes are used: those whose bit is in @want,
 * and with @unnamed those without a name. Return: the bits of those that were appended.
 */
static uint32_t append(uint8_t *to, size_t *len, const struct fw_profile *p, uint32_t want,
		       bool unnamed)
{
	const uint8_t *value;
	uint32_t type, size, bit, done = 0;
	size_t at = 0;

	while (fw_cap_next(p->caps, p->caps_len, &at, &type, &size, &value)) {
		bit = cap_bit(type, value);
		if (!(bit ? bit & want : unnamed) || *len + 8 + size > FW_CAPS_MAX)
			continue;
		memcpy(to + *len, value - 8, 8 + size);
		*len += 8 + size;
		done |= bit;
	}
	return done;
}

/* The firmware restarts: free all maps and programs. */
void bd_bpf_reset(struct board *b)
{
	bd_maps_reset(b);
	bd_prog_reset(b);
	bd_xdp_reset(b);
}

/*
 * Make the list of capabilities: that of the profile, or with option bpf-helpers= what the list
 * names. What the profile lacks of these is that of profile "full".
 */
static void caps_make(struct board *b, uint8_t *caps, size_t *len)
{
	const struct fw_profile *p = bd_firmware(b);
	uint32_t want = b->ustore->helpers_set ? b->ustore->helpers : UINT32_MAX;
	uint32_t have = append(caps, len, p, want, true);

	if (b->ustore->helpers_set)
		append(caps, len, &fw_full, want & ~have, false);
	fw_caps_parse(caps, *len, &b->ustore->caps);
}

void bd_bpf_symbols(struct board *b)
{
	uint8_t caps[FW_CAPS_MAX];
	size_t len = 0;

	caps_make(b, caps, &len);
	bd_xdp_hooks(b);
	bd_firmware_app(b, FW_APP_BPF);
	if (!b->nffw->image.sections)
		board_symbol(b, "_pf0_net_ctrl_bar", BD_CTRL_ADDR, BD_VNIC_SIZE);
	else if (!b->ustore->helpers_set)
		return;
	bd_nffw_remove(b, "_abi_bpf_capabilities");
	memcpy(board_mem_ptr(b, BD_BPFCAP_ADDR, FW_CAPS_MAX), caps, len);
	board_symbol(b, "_abi_bpf_capabilities", BD_BPFCAP_ADDR, len);
}

const struct bd_nic_app bd_bpf_app = {
	.bar = bd_prog_bar, .load = bd_prog_load, .loaded = bd_prog_loaded,
	.frame = bd_xdp_frame, .room = bd_xdp_room, .message = bd_ccm_message,
};
