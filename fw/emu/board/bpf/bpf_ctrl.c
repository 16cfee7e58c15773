// SPDX-License-Identifier: BSD-2-Clause
/*
 * bpf_ctrl.c - control messages: operations on maps for the host, and events of programs.
 *
 * A message is {u8 type, u8 version, u16 tag} and words, all big endian. The driver waits 5 s for
 * each answer with the RTNL lock held, so each message that has a header gets an answer. There is
 * always a buffer for the answer: bd_vnic_run() takes a message from the TX ring only while the
 * host offers an RX buffer.
 */
#include <errno.h>
#include <syslog.h>

#include "bpf_ctrl.h"
#include "bpf_maps.h"
#include "bpf_prog.h"
#include "bytes.h"
#include "vnic.h"

#define TYPE_ALLOC		1
#define TYPE_FREE		2
#define TYPE_LOOKUP		3
#define TYPE_UPDATE		4
#define TYPE_DELETE		5
#define TYPE_GETNEXT		6
#define TYPE_GETFIRST		7
#define TYPE_EVENT		8
#define TYPE_REPLY		0x80
#define VERSION			1

#define HDR_SIZE		4
#define ALLOC_SIZE		24
#define FREE_SIZE		8
#define OP_SIZE			16	/* request and answer: bytes before the entries */
#define EVENT_SIZE		24

#define ABI2_SLOT		64	/* CMSG_MAP_KEY_LW, CMSG_MAP_VALUE_LW */
#define ENTRIES_MAX		4	/* NFP_BPF_MAP_CACHE_CNT */

/* The host's buffers hold at most an MTU of 9216 bytes. */
#define MESSAGE_MAX		9216

/* enum nfp_bpf_cmsg_status */
#define RC_OK			0
#define RC_MAP_FD		1
#define RC_NOENT		2
#define RC_ERR			3
#define RC_PARSE		4
#define RC_EXIST		5
#define RC_NOMEM		6
#define RC_E2BIG		7

/*
 * Each entry of a message has a slot for the key and a slot for the value. With ABI 2 a slot has 64
 * bytes, with ABI 3 it has room for the largest key, or the largest value (bpf/main.c).
 */
static uint32_t key_slot(const struct board *b)
{
	return b->ustore->caps.abi < 3 ? ABI2_SLOT : BD_MAP_KEY_MAX;
}

static uint32_t entry_size(const struct board *b)
{
	return key_slot(b) + (b->ustore->caps.abi < 3 ? ABI2_SLOT : BD_MAP_VALUE_MAX);
}

/* An answer or event that is being written. */
struct out {
	uint8_t buf[MESSAGE_MAX];
	uint32_t len;
};

static uint8_t *out_grow(struct out *o, uint32_t n)
{
	uint8_t *p = o->buf + o->len;

	memset(p, 0, n);
	o->len += n;
	return p;
}

static void out_be32(struct out *o, uint32_t v)
{
	bd_put_be32(out_grow(o, 4), v);
}

static uint32_t rc_of(int err)
{
	switch (err) {
	case 0:
		return RC_OK;
	case -EBADFD:
		return RC_MAP_FD;
	case -ENOENT:
		return RC_NOENT;
	case -EEXIST:
		return RC_EXIST;
	case -ENOMEM:
		return RC_NOMEM;
	case -E2BIG:
		return RC_E2BIG;
	case -EBADMSG:
		return RC_PARSE;
	default:
		return RC_ERR;
	}
}

/* ---- maps as a whole ---- */

static int do_alloc(struct board *b, const uint8_t *msg, uint32_t len, struct out *o)
{
	struct bd_map_attr a;
	uint32_t tid = 0;
	int err = -EBADMSG;

	if (len == ALLOC_SIZE) {
		a.key_size = bd_be32(msg + 4);
		a.value_size = bd_be32(msg + 8);
		a.max_entries = bd_be32(msg + 12);
		a.type = bd_be32(msg + 16);
		a.flags = bd_be32(msg + 20);
		err = bd_map_alloc(b, &a, &tid);
		b->ccm->made += !err;
	}
	out_be32(o, rc_of(err));
	out_be32(o, tid);
	return err;
}

static int do_free(struct board *b, const uint8_t *msg, uint32_t len, struct out *o)
{
	uint32_t count = 0;
	int err = -EBADMSG;

	if (len == FREE_SIZE)
		err = bd_map_free(b, bd_be32(msg + 4), &count);
	b->ccm->freed += !err;
	out_be32(o, rc_of(err));
	out_be32(o, count);
	return err;
}

/* ---- entries ---- */

struct op {
	uint32_t tid;
	uint32_t count;
	uint32_t flags;
	const uint8_t *key;
	const uint8_t *value;
};

/* Append an entry to the answer: the slot of the key and the slot of the value. */
static void put_entry(struct board *b, struct out *o, const struct bd_map_attr *a,
		      const void *key, uint64_t addr)
{
	uint8_t *p = out_grow(o, entry_size(b));
	const void *value = board_mem_ptr(b, addr, a->value_size);

	memcpy(p, key, a->key_size);
	if (value)
		memcpy(p + key_slot(b), value, a->value_size);
}

static int entry_op(struct board *b, uint8_t type, const struct op *op, struct out *o)
{
	const struct bd_map_attr *a = bd_map_attr(b, op->tid);
	uint64_t addr;
	int err;

	if (op->count != 1)
		return -EBADMSG;
	if (!a)
		return -EBADFD;
	if (type == TYPE_UPDATE)
		err = bd_map_update(b, op->tid, op->key, op->value, op->flags);
	else if (type == TYPE_DELETE)
		err = bd_map_delete(b, op->tid, op->key);
	else
		err = bd_map_lookup(b, op->tid, op->key, &addr);
	if (err)
		return err;
	if (type == TYPE_LOOKUP)
		put_entry(b, o, a, op->key, addr);
	else
		memcpy(out_grow(o, entry_size(b)), op->key, a->key_size);
	return 0;
}

/*
 * Append entries: @most, or as many as the host asked for if that is fewer. Values are included,
 * because the driver caches the entries for 250 us and answers lookups from its cache.
 */
static int walk_op(struct board *b, uint8_t type, const struct op *op, uint32_t most,
		   struct out *o, uint32_t *count)
{
	const struct bd_map_attr *a = bd_map_attr(b, op->tid);
	uint8_t key[BD_MAP_KEY_MAX];
	uint64_t addr;
	int err = 0;

	if (!op->count)
		return -EBADMSG;
	if (!a)
		return -EBADFD;
	memcpy(key, op->key, sizeof(key));
	if (most > op->count)
		most = op->count;
	while (*count < most) {
		bool first = !*count && type == TYPE_GETFIRST;

		err = bd_map_next(b, op->tid, first ? NULL : key, key, &addr);
		if (err)
			break;
		put_entry(b, o, a, key, addr);
		++*count;
	}
	return err;
}

/*
 * Return: the number of entries of an answer: those that fit into a buffer of the host, at least 1,
 * because the driver offers no smaller buffer (nfp_bpf_start()).
 */
static uint32_t entries_room(const struct board *b)
{
	uint32_t room = b->nic->vnic[BD_VNIC_CTRL].rx[0].room;
	uint32_t n = room < OP_SIZE ? 0 : (room - OP_SIZE) / entry_size(b);

	if (!n || !b->ustore->caps.multi)
		return 1;
	return n > ENTRIES_MAX ? ENTRIES_MAX : n;
}

/*
 * An answer has as many entries as its count says. After an error it has one more, without
 * meaning, because the driver expects that length.
 */
static int do_op(struct board *b, const uint8_t *msg, uint32_t len, struct out *o)
{
	uint8_t type = msg[0], *rc = out_grow(o, 4), *n = out_grow(o, 8);
	uint32_t count = 0, most = entries_room(b);
	int err = -EBADMSG;

	if (len == OP_SIZE + entry_size(b)) {
		struct op op = {
			.tid = bd_be32(msg + 4),
			.count = bd_be32(msg + 8),
			.flags = bd_be32(msg + 12),
			.key = msg + OP_SIZE,
			.value = msg + OP_SIZE + key_slot(b),
		};

		if (type == TYPE_GETNEXT || type == TYPE_GETFIRST) {
			err = walk_op(b, type, &op, most, o, &count);
		} else {
			err = entry_op(b, type, &op, o);
			count = !err;
		}
	}
	if (err)
		out_grow(o, entry_size(b));
	bd_put_be32(rc, rc_of(err));
	bd_put_be32(n, count);
	/*
	 * ENOENT only says that the key is not there or that a walk has ended. Do not count it as
	 * an error.
	 */
	return err == -ENOENT && type != TYPE_UPDATE ? 0 : err;
}

/* ---- messages ---- */

static int send(struct board *b, struct out *o)
{
	struct bd_rxd d = { .len = o->len };

	return bd_fl_put(b, BD_VNIC_CTRL, 0, o->buf, &d);
}

static int answer(struct board *b, const uint8_t *msg, uint32_t len, struct out *o)
{
	if (msg[1] == VERSION) {
		switch (msg[0]) {
		case TYPE_ALLOC:
			return do_alloc(b, msg, len, o);
		case TYPE_FREE:
			return do_free(b, msg, len, o);
		case TYPE_LOOKUP:
		case TYPE_UPDATE:
		case TYPE_DELETE:
		case TYPE_GETNEXT:
		case TYPE_GETFIRST:
			return do_op(b, msg, len, o);
		}
	}
	out_be32(o, RC_PARSE);
	return -EBADMSG;
}

void bd_ccm_message(struct board *b, const uint8_t *msg, uint32_t len)
{
	struct out o = { .len = HDR_SIZE };
	int err;

	b->ccm->requests++;
	if (len < HDR_SIZE) {
		b->ccm->dropped++;
		board_log(LOG_WARNING, "control message of %u bytes: shorter than its header (%u)",
			  len, HDR_SIZE);
		return;
	}
	o.buf[0] = msg[0] | TYPE_REPLY;
	o.buf[1] = VERSION;
	memcpy(o.buf + 2, msg + 2, 2);
	err = answer(b, msg, len, &o);
	if (err == -EBADMSG)
		board_log(LOG_WARNING, "control message of type %u, version %u, %u bytes: not understood",
			  msg[0], msg[1], len);
	if (err)
		b->ccm->refused++;
	err = send(b, &o);
	if (err) {
		b->ccm->dropped++;
		board_log(LOG_WARNING, "answer to control message of type %u not delivered, %u bytes: %s",
			  msg[0], o.len, strerror(-err));
	}
}

int bd_ccm_event(struct board *b, const struct bd_event *e)
{
	struct out o = { .len = 0 };
	uint64_t pkt_room = ((uint64_t)e->pkt_len + 3) & ~3ull;
	uint8_t *p;

	b->ccm->events++;
	if (EVENT_SIZE + pkt_room + e->data_len > sizeof(o.buf)) {
		b->ccm->events_lost++;
		return -ENOSPC;
	}
	p = out_grow(&o, EVENT_SIZE);
	p[0] = TYPE_EVENT;
	p[1] = VERSION;
	bd_put_be32(p + 4, e->cpu);
	bd_put_be32(p + 8, e->map_id >> 32);
	bd_put_be32(p + 12, e->map_id);
	bd_put_be32(p + 16, e->data_len);
	bd_put_be32(p + 20, e->pkt_len);
	memcpy(out_grow(&o, pkt_room), e->pkt, e->pkt_len);
	memcpy(out_grow(&o, e->data_len), e->data, e->data_len);
	if (send(b, &o)) {
		b->ccm->events_lost++;
		return -ENOSPC;
	}
	bd_vnic_irq(b, BD_VNIC_CTRL);
	return 0;
}
