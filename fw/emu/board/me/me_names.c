// SPDX-License-Identifier: BSD-2-Clause
/*
 * me_names.c - names of commands, as binutils prints them.
 *
 * A command of a memory unit has a different meaning in CTM, EMEM and IMEM, which the word does not
 * tell: its name then has all of them.
 */
#include <stdio.h>
#include <string.h>

#include "me_int.h"

#define WIDE	4	/* bit of the length: 64 bits, or the larger table */

struct names {
	unsigned int target;
	const char *unit;
	unsigned int n;
	const char *const (*name)[4];	/* [action][token] */
};

/* "%s": "64" if the length has WIDE */
static const char *const mu[32][4] = {
	[0] = { "read", "read_le", "read_swap", "read_swap_le" },
	[1] = { "write", "write_le", "write_swap", "write_swap_le" },
	[2] = { "write8", "write8_le", "write8_swap", "write8_swap_le" },
	[3] = { "atomic_read", "read8", "compare_write_or_incr/mask_compare_write",
		"test_compare_write_or_incr/test_mask_compare_write" },
	[4] = { "atomic_write", "swap", "atomic_write_imm", "swap_imm" },
	[5] = { "set", "test_set", "set_imm", "test_set_imm" },
	[6] = { "clr", "test_clr", "clr_imm", "test_clr_imm" },
	[7] = { "add%s", "test_add%s", "add%s_imm", "test_add%s_imm" },
	[8] = { "addsat%s", "test_addsat%s", "addsat%s_imm", "test_addsat%s_imm" },
	[9] = { "sub%s", "test_sub%s", "sub%s_imm", "test_sub%s_imm" },
	[10] = { "subsat%s", "test_subsat%s", "subsat%s_imm", "test_subsat%s_imm" },
	[11] = { "ticket_release", "ticket_release_ind" },
	[15] = { "xor", "test_xor", "xor_imm", "test_xor_imm" },
	[16] = { "ctm.packet_wait_packet_status/emem.rd_qdesc/imem.stats_log",
		 "ctm.packet_read_packet_status/emem.wr_qdesc/imem.stats_log_sat",
		 "emem.push_qdesc/imem.stats_log_event", "imem.stats_log_sat_event" },
	[17] = { "ctm.packet_alloc/emem.enqueue/imem.stats_push",
		 "ctm.packet_credit_get/emem.enqueue_tail/imem.stats_push_clear",
		 "ctm.packet_alloc_poll/emem.dequeue", "ctm.packet_add_thread" },
	[18] = { "ctm.packet_free/emem.read_queue/imem.lb_write_desc",
		 "ctm.packet_free_and_signal/emem.read_queue_ring/imem.lb_read_desc",
		 "ctm.packet_free_and_return_pointer/emem.write_queue",
		 "ctm.packet_return_pointer/emem.write_queue_ring" },
	[19] = { "ctm.packet_complete_drop/emem.add_tail/imem.lb_write_idtable",
		 "ctm.packet_complete_unicast/emem.qadd_thread/imem.lb_read_idtable",
		 "ctm.packet_complete_multicast/emem.qadd_work",
		 "ctm.packet_complete_multicast_free/emem.qadd_work_imm" },
	[20] = { "ctm.pe_dma_to_memory_packet/emem.put/imem.lb_bucket_write_local",
		 "ctm.pe_dma_to_memory_packet_swap/imem.lb_bucket_write_dcache",
		 "ctm.pe_dma_to_memory_packet_free/emem.journal",
		 "ctm.pe_dma_to_memory_packet_free_swap" },
	[21] = { "ctm.pe_dma_to_memory_indirect/emem.get/imem.lb_bucket_read_local",
		 "ctm.pe_dma_to_memory_indirect_swap/emem.get_eop/imem.lb_bucket_read_dcache",
		 "ctm.pe_dma_to_memory_indirect_free/emem.get_freely",
		 "ctm.pe_dma_to_memory_indirect_free_swap" },
	[22] = { "ctm.pe_dma_to_memory_buffer/emem.pop/imem.lb_lookup_bundleid",
		 "ctm.pe_dma_to_memory_buffer_le/emem.pop_eop/imem.lb_lookup_dcache",
		 "ctm.pe_dma_to_memory_buffer_swap/emem.pop_freely/imem.lb_lookup_idtable",
		 "ctm.pe_dma_to_memory_buffer_le_swap" },
	[23] = { "ctm.pe_dma_from_memory_buffer/emem.fast_journal/imem.lb_push_stats_local",
		 "ctm.pe_dma_from_memory_buffer_le/emem.fast_journal_sig/imem.lb_push_stats_dcache",
		 "ctm.pe_dma_from_memory_buffer_swap/imem.lb_push_stats_local_clr",
		 "ctm.pe_dma_from_memory_buffer_le_swap/imem.lb_push_stats_dcache_clr" },
	[26] = { "emem.lookup/imem.lookup" },
	[28] = { "read32", "read32_le", "read32_swap", "read32_swap_le" },
	[29] = { NULL, "cam_lookup_add_lock", "cam_lookup_add_extend", "cam_lookup_add_inc" },
	[30] = { NULL, NULL, "meter" },
	[31] = { "write32", "write32_le", "write32_swap", "write32_swap_le" },
};

static const char *const cls[][4] = {
	{ "read", "read_le", "swap/test_compare_write", "xor" },
	{ "write", "write_le", "write8_be", "write8_le" },
	{ "set", "clr", "test_set", "test_clr" },
	{ "set_imm", "clr_imm", "test_set_imm", "test_clr_imm" },
	{ "add", "add64", "addsat" },
	{ "add_imm", "add64_imm", "addsat_imm" },
	{ "sub", "sub64", "subsat" },
	{ "sub_imm", "sub64_imm", "subsat_imm" },
	{ "queue_lock", "queue_unlock", "hash_mask", "hash_mask_clear" },
	{ "get", "pop", "get_safe", "pop_safe" },
	{ "ring_put", NULL, "ring_journal" },
	{ "cam_lookup32", "cam_lookup32_add", "cam_lookup24", "cam_lookup24_add" },
	{ "cam_lookup8", "cam_lookup8_add", "cam_lookup16", "cam_lookup16_add" },
	{ "tcam_lookup32", "tcam_lookup24", "tcam_lookup16", "tcam_lookup8" },
	{ "reflect_write_sig_local", "reflect_write_sig_remote", "reflect_write_sig_both" },
	{ "reflect_read_sig_remote", "reflect_read_sig_local", "reflect_read_sig_both" },
	{ NULL, "cam_lookup32_add_lock", "cam_lookup24_add_inc", "cam_lookup32_add_extend" },
	{ "meter", NULL, "statistic", "statistic_imm" },
	{ NULL }, { NULL },
	{ "test_add", "test_add64", "test_addsat" },
	{ "test_add_imm", "test_add64_imm", "test_addsat_imm" },
	{ "test_sub", "test_sub64", "test_subsat" },
	{ "test_sub_imm", "test_sub64_imm", "test_subsat_imm" },
	{ "ring_read", "ring_write", "ring_ordered_lock", "ring_ordered_unlock" },
	{ "ring_workq_add_thread", "ring_workq_add_work" },
};

static const char *const ct[][4] = {
	{ "xpb_read", "ring_get", "interthread_signal" },
	{ "xpb_write", "ring_put", "ctnn_write" },
	{ "reflect_read_none", "reflect_read_sig_init", "reflect_read_sig_remote",
	  "reflect_read_sig_both" },
	{ "reflect_write_none", "reflect_write_sig_init", "reflect_write_sig_remote",
	  "reflect_write_sig_both" },
};

static const char *const pcie[][4] = {
	{ "read", "read_rid" }, { "write", "write_rid", "write_vdm" }, { "read_int" },
	{ "write_int" },
};

static const char *const nbi[][4] = {
	{ "read" }, { "write" }, { NULL },
	{ "packet_ready_drop", "packet_ready_unicast", "packet_ready_multicast_dont_free",
	  "packet_ready_multicast_free_on_last" },
};

/* write_int is write_dma with another length */
static const char *const ila[][4] = {
	{ "read", "read_check_error" }, { "write", "write_check_error" }, { "read_int" },
};

static const char *const arm[][4] = { { "read" }, { "write" } };
static const char *const crypto[][4] = { { "read" }, { "write" }, { "write_fifo" } };

#define UNIT(t, u, table)	{ t, u, sizeof(table) / sizeof(table[0]), table }
static const struct names units[] = {
	UNIT(ME_TARGET_MU, "mem", mu), UNIT(ME_TARGET_CLS, "cls", cls),
	UNIT(ME_TARGET_CT, "ct", ct), UNIT(ME_TARGET_PCIE, "pcie", pcie),
	UNIT(ME_TARGET_NBI, "nbi", nbi), UNIT(ME_TARGET_ILA, "ila", ila),
	UNIT(ME_TARGET_ARM, "arm", arm), UNIT(ME_TARGET_CRYPTO, "crypto", crypto),
};

/*
 * CAM operations of a memory unit: the length has the width of an entry, and the size of the
 * table, which is one of two.
 */
static bool mu_cam(unsigned int token, unsigned int len, char *name, size_t size)
{
	static const char *const form[] = { "cam%u_lookup%u", "cam%u_lookup%u_add",
					    "tcam%u_lookup%u" };
	unsigned int n = len & WIDE ? 256 : 128, m = len & WIDE ? 512 : 384, at;
	unsigned int width = (len % 4 + 1) * 8;

	if (token == 3) {
		if (len % 4 == 0)
			snprintf(name, size, "lock%u/lock%u", n, m);
		else
			snprintf(name, size, "cam%u_lookup24_add_inc/cam%u_lookup24_add_inc", n, m);
		return !(len & 1);
	}
	at = snprintf(name, size, form[token], n, width);
	at += snprintf(name + at, size - at, "/");
	snprintf(name + at, size - at, form[token], m, width);
	return true;
}

/* Micro-queues and queue locks of a memory unit: the length has the size. */
static bool mu_queue(unsigned int action, unsigned int token, unsigned int len, char *name,
		     size_t size)
{
	static const char *const form[2][4] = {
		{ "microq%u_get", "microq%u_pop", "microq%u_put" },
		{ "queue%u_lock", "queue%u_unlock" },
	};
	const char *f = form[action - 13][token];

	if (!f || len % WIDE)
		return false;
	snprintf(name, size, f, len & WIDE ? 256 : 128);
	return true;
}

bool me_cmd_name(unsigned int target, unsigned int action, unsigned int token, unsigned int len,
		 const char **unit, char *name, size_t size)
{
	const struct names *u;
	const char *form;

	for (u = units; u->target != target; u++)
		if (u == units + sizeof(units) / sizeof(units[0]) - 1)
			return false;
	*unit = u->unit;
	if (target == ME_TARGET_MU && action == 12)
		return mu_cam(token, len, name, size);
	if (target == ME_TARGET_MU && (action == 13 || action == 14))
		return mu_queue(action, token, len, name, size);
	form = action < u->n ? u->name[action][token] : NULL;
	if (!form)
		return false;
	snprintf(name, size, form, len & WIDE ? "64" : "");
	return true;
}
