/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nfpchan_bpf.h - channels of XDP programs that run on the card; for clang -target bpf
 * -mcpu=v3, behind <linux/bpf.h> and <bpf/bpf_helpers.h>.
 *
 *	NFPCHAN_TO_HOST(events, struct event);
 *	NFPCHAN_TO_PROG(orders, struct order, 64);
 *
 *	SEC("xdp")
 *	int prog(struct xdp_md *ctx)
 *	{
 *		struct event e = {};
 *		struct order o;
 *
 *		if (!NFPCHAN_RECV(orders, &o))
 *			e.limit = o.limit;
 *		NFPCHAN_SEND(ctx, events, &e);
 *		return XDP_PASS;
 *	}
 *
 * On the host they are channels of the card "bpf:DEV" under these names, whatever firmware
 * the card has. With channel firmware nfpchan_xdp_bind() can give the map of "events" to
 * a channel of that. Names have 1 to 13 characters; beside a map of that name a channel
 * takes another, NAME_n.
 */
#ifndef NFPCHAN_BPF_H
#define NFPCHAN_BPF_H

#define NFPCHAN_NAME_CHECK(chan) \
	_Static_assert(sizeof(#chan) <= 14, "name of a channel: " #chan \
		       " has more than 13 characters")

/**
 * NFPCHAN_TO_HOST() - declare a channel to the host
 * @chan: its name
 * @what: type of its messages, 512 bytes at most less what else is on the stack
 *
 * A perf event array, and an array as long as a message has bytes, of which the first
 * element counts messages given: what of them does not arrive is known by that.
 */
#define NFPCHAN_TO_HOST(chan, what) \
	NFPCHAN_NAME_CHECK(chan); \
	struct { \
		__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY); \
		__uint(key_size, 4); \
		__uint(value_size, 4); \
	} chan SEC(".maps"); \
	struct { \
		__uint(type, BPF_MAP_TYPE_ARRAY); \
		__uint(max_entries, sizeof(what)); \
		__type(key, __u32); \
		__type(value, __u64); \
	} chan##_n SEC(".maps"); \
	typedef what chan##_nfpchan_t

/**
 * NFPCHAN_TO_PROG() - declare a channel to the program
 * @chan: its name
 * @what: type of its messages, 60 bytes at most: that and the key of 4 are an entry of the card
 * @depth: messages that it holds
 *
 * A hash in which the host puts message n under key n, and an array that has the number
 * of the message to be taken next.
 */
#define NFPCHAN_TO_PROG(chan, what, depth) \
	NFPCHAN_NAME_CHECK(chan); \
	_Static_assert(sizeof(what) <= 60, "messages of channel " #chan \
		       " have more than 60 bytes"); \
	struct { \
		__uint(type, BPF_MAP_TYPE_HASH); \
		__uint(max_entries, depth); \
		__type(key, __u32); \
		__type(value, what); \
	} chan SEC(".maps"); \
	struct { \
		__uint(type, BPF_MAP_TYPE_ARRAY); \
		__uint(max_entries, 1); \
		__type(key, __u32); \
		__type(value, __u32); \
	} chan##_n SEC(".maps"); \
	typedef what chan##_nfpchan_t

static __always_inline int nfpchan_send(void *ctx, void *map, void *count, void *msg, __u64 size)
{
	__u32 zero = 0;
	__u64 *given;
	int err;

	err = bpf_perf_event_output(ctx, map, BPF_F_CURRENT_CPU, msg, size);
	given = bpf_map_lookup_elem(count, &zero);
	if (given)
		__sync_fetch_and_add(given, 1);
	return err;
}

/**
 * NFPCHAN_SEND() - send a message to the host
 * @ctx: the program's context
 * @chan: a channel of NFPCHAN_TO_HOST()
 * @msg: the message, on the stack
 *
 * Does not wait. Return: 0, or negative: it was not sent, which is counted as lost.
 */
#define NFPCHAN_SEND(ctx, chan, msg) ({ \
	chan##_nfpchan_t *nfpchan_msg = (msg); \
	nfpchan_send(ctx, &chan, &chan##_n, nfpchan_msg, sizeof(*nfpchan_msg)); })

static __always_inline int nfpchan_recv(void *map, void *count, void *msg, __u64 size)
{
	__u32 zero = 0, seq, *next;
	void *value;

	next = bpf_map_lookup_elem(count, &zero);
	if (!next)
		return -1;
	seq = *next;
	value = bpf_map_lookup_elem(map, &seq);
	if (!value)
		return -1;
	__builtin_memcpy(msg, value, size);
	/*
	 * Of all that copied it one deletes it, and has it. Until that one says so, nobody
	 * looks for the next.
	 */
	if (bpf_map_delete_elem(map, &seq))
		return -1;
	seq++;
	bpf_map_update_elem(count, &zero, &seq, BPF_ANY);
	return 0;
}

/**
 * NFPCHAN_RECV() - receive a message from the host
 * @chan: a channel of NFPCHAN_TO_PROG()
 * @msg: where it goes, on the stack
 *
 * Each message is received once, by one packet's run, in the order in which they were sent.
 *
 * Return: 0, or negative: there is none now, or another run is taking it.
 */
#define NFPCHAN_RECV(chan, msg) ({ \
	chan##_nfpchan_t *nfpchan_msg = (msg); \
	nfpchan_recv(&chan, &chan##_n, nfpchan_msg, sizeof(*nfpchan_msg)); })

#endif /* NFPCHAN_BPF_H */
