/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nfpchan_bpf.h - channels of XDP programs that run in the card. For clang -target bpf
 * -mcpu=v3; include it after <linux/bpf.h> and <bpf/bpf_helpers.h>.
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
 * On the host these are channels of the card "bpf:DEV" under the same names, whatever firmware
 * the card has. On a card with channel firmware, nfpchan_xdp_bind() can also join the map
 * "events" to a channel of that firmware. A name has 1 to 13 characters. A channel NAME takes
 * two maps, NAME and NAME_n.
 */
#ifndef NFPCHAN_BPF_H
#define NFPCHAN_BPF_H

#define NFPCHAN_NAME_CHECK(chan) \
	_Static_assert(sizeof(#chan) <= 14, "name of a channel: " #chan \
		       " has more than 13 characters")

/**
 * NFPCHAN_TO_HOST() - declare a channel to the host
 * @chan: name of the channel
 * @what: type of the messages. A message is on the stack, which has 512 bytes
 *
 * @chan is a perf event array. @chan_n is an array whose first element counts the messages sent,
 * by which the host knows how many are lost. It has as many elements as a message has bytes,
 * which tells the host the size.
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
 * @chan: name of the channel
 * @what: type of the messages, up to 60 bytes: an entry of the card has 64, with a key of 4
 * @depth: messages that the channel holds
 *
 * @chan is a hash in which the host puts message n under key n. @chan_n is an array with the
 * number of the message that the program takes next.
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
 * Does not wait. Return: 0, or negative: the message was not sent, and counts as lost.
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
	 * Several runs of the program may have copied the message. One of them deletes the entry,
	 * and so receives the message. No other run looks for the next message before that one
	 * has updated the number.
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
 * @msg: out: the message, on the stack
 *
 * One run of the program receives each message, once, in the order in which they were sent.
 *
 * Return: 0, or negative: no message is there, or another run is taking it.
 */
#define NFPCHAN_RECV(chan, msg) ({ \
	chan##_nfpchan_t *nfpchan_msg = (msg); \
	nfpchan_recv(&chan, &chan##_n, nfpchan_msg, sizeof(*nfpchan_msg)); })

#endif /* NFPCHAN_BPF_H */
