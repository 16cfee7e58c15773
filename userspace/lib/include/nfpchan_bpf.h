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
 *
 * With -DNFPCHAN_NO_DELETE the program calls neither bpf_map_update_elem() nor
 * bpf_map_delete_elem(), which the vendor's public firmware does not have. Without a delete, runs
 * of the program receive a message at least once, instead of exactly once. CHANNELS.rst has a
 * table of the differences.
 */
#ifndef NFPCHAN_BPF_H
#define NFPCHAN_BPF_H

/* ---- messages to a program without a delete; also for the library ---- */

#define NFPCHAN_SLOTS_MAX	128	/* messages that such a channel holds at most */
#define NFPCHAN_COUNTERS	256	/* counters of such a channel */

/**
 * struct nfpchan_slot - head of a message in the array of slots
 * @nr: number of the message
 * @check: nfpchan_check() of number and message
 *
 * Message @nr is in slot @nr modulo the number of slots.
 */
struct nfpchan_slot {
	__u32 nr;
	__u32 check;
};

/**
 * struct nfpchan_seen - element of the array beside the slots
 * @next: in element NFPCHAN_COUNTERS: number of the oldest message that the host keeps. The host
 *	writes it, and programs read it
 * @taken: in element i, to which programs add 1 whenever they take a message whose number modulo
 *	NFPCHAN_COUNTERS is i. The host reads it
 */
struct nfpchan_seen {
	__u32 next;
	__u32 taken;
};

#ifdef __bpf__
#define NFPCHAN_UNROLL	_Pragma("unroll")
#else
#define NFPCHAN_UNROLL
#endif

/*
 * The check of a message. A program may copy a slot while the host writes it. Then the copy has
 * words of two messages, and the check differs.
 */
static inline __attribute__((always_inline)) __u32 nfpchan_check(__u32 nr, const void *msg,
								 __u32 size)
{
	__u32 check = nr ^ 0x811c9dc5, word, i;

	NFPCHAN_UNROLL
	for (i = 0; i < size; i += sizeof(word)) {
		word = 0;
		__builtin_memcpy(&word, (const char *)msg + i, size - i < 4 ? size - i : 4);
		check = (check ^ word) * 0x01000193;
	}
	return check;
}

#ifdef __bpf__

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
 * @what: type of the messages, up to 56 bytes; with NFPCHAN_NO_DELETE up to 48. An entry of the
 *	card has 64, of which 8 are the key
 * @depth: messages that the channel holds; with NFPCHAN_NO_DELETE a power of 2 up to 128
 *
 * @chan is a hash in which the host puts message n under key n. @chan_n is an array with the
 * number of the message that the program takes next.
 *
 * With NFPCHAN_NO_DELETE @chan is an array of slots, see struct nfpchan_slot, and @chan_n an
 * array of struct nfpchan_seen.
 */
#ifndef NFPCHAN_NO_DELETE
#define NFPCHAN_TO_PROG(chan, what, depth) \
	NFPCHAN_NAME_CHECK(chan); \
	_Static_assert(sizeof(what) <= 56, "messages of channel " #chan \
		       " have more than 56 bytes"); \
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
#else
#define NFPCHAN_TO_PROG(chan, what, depth) \
	NFPCHAN_NAME_CHECK(chan); \
	_Static_assert(sizeof(what) <= 48, "messages of channel " #chan \
		       " have more than 48 bytes"); \
	_Static_assert((depth) <= NFPCHAN_SLOTS_MAX && (depth) > 0 && !((depth) & ((depth) - 1)), \
		       "depth of channel " #chan " is not a power of 2 up to 128"); \
	struct { \
		__uint(type, BPF_MAP_TYPE_ARRAY); \
		__uint(max_entries, depth); \
		__uint(key_size, 4); \
		__uint(value_size, sizeof(struct nfpchan_slot) + sizeof(what)); \
	} chan SEC(".maps"); \
	struct { \
		__uint(type, BPF_MAP_TYPE_ARRAY); \
		__uint(max_entries, NFPCHAN_COUNTERS + 1); \
		__type(key, __u32); \
		__type(value, struct nfpchan_seen); \
	} chan##_n SEC(".maps"); \
	enum { chan##_nfpchan_depth = (depth) }; \
	typedef what chan##_nfpchan_t
#endif

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

#ifndef NFPCHAN_NO_DELETE
static __always_inline __u32 nfpchan_next(void *count)
{
	__u32 zero = 0;
	__u32 *next = bpf_map_lookup_elem(count, &zero);

	return next ? *next : 0;
}

static __always_inline int nfpchan_recv(void *map, void *count, __u32 nr, void *msg, __u32 size)
{
	__u32 zero = 0;
	void *value;

	value = bpf_map_lookup_elem(map, &nr);
	if (!value)
		return -1;
	__builtin_memcpy(msg, value, size);
	/*
	 * Several runs of the program may have copied the message. One of them deletes the entry,
	 * and so receives the message. No other run looks for the next message before that one
	 * has updated the number.
	 */
	if (bpf_map_delete_elem(map, &nr))
		return -1;
	nr++;
	bpf_map_update_elem(count, &zero, &nr, BPF_ANY);
	return 0;
}

#define nfpchan_recv_nr(chan, nr, msg, size) nfpchan_recv(&chan, &chan##_n, nr, msg, size)
#else
static __always_inline __u32 nfpchan_next(void *seen)
{
	__u32 key = NFPCHAN_COUNTERS;
	struct nfpchan_seen *s = bpf_map_lookup_elem(seen, &key);

	return s ? s->next : 0;
}

static __always_inline int nfpchan_recv(void *map, __u32 depth, void *seen, __u32 nr, void *msg,
					__u32 size)
{
	__u32 key = nr & (depth - 1), check;
	struct nfpchan_slot *slot;
	struct nfpchan_seen *s;

	slot = bpf_map_lookup_elem(map, &key);
	if (!slot || slot->nr != nr)
		return -1;
	check = slot->check;
	__builtin_memcpy(msg, slot + 1, size);
	/* What is checked is the copy, not a second look at the slot. */
	__asm__ volatile("" ::: "memory");
	if (check != nfpchan_check(nr, msg, size))
		return -1;
	key = nr & (NFPCHAN_COUNTERS - 1);
	s = bpf_map_lookup_elem(seen, &key);
	if (!s)
		return -1;
	__sync_fetch_and_add(&s->taken, 1);
	return 0;
}

#define nfpchan_recv_nr(chan, nr, msg, size) \
	nfpchan_recv(&chan, chan##_nfpchan_depth, &chan##_n, nr, msg, size)
#endif

/**
 * NFPCHAN_NEXT() - number of the oldest message
 * @chan: a channel of NFPCHAN_TO_PROG()
 *
 * The messages of a channel have the numbers 0, 1, and so on, modulo 2^32.
 *
 * Return: the number of the oldest message that no run has received; with NFPCHAN_NO_DELETE: of
 * the oldest of which the host does not know yet that a run has received it. If there is no
 * such message, the number that the next message will have.
 */
#define NFPCHAN_NEXT(chan) nfpchan_next(&chan##_n)

/**
 * NFPCHAN_RECV_NR() - receive a message of a certain number from the host
 * @chan: a channel of NFPCHAN_TO_PROG()
 * @nr: its number, from NFPCHAN_NEXT() on
 * @msg: out: the message, on the stack
 *
 * One run of the program receives each message, once. With NFPCHAN_NO_DELETE each run receives
 * it, until the host knows that one has: all these have the same number, so what a run does or
 * reports by that number tells a repeat. A run that receives all messages:
 *
 *	__u32 nr = NFPCHAN_NEXT(orders), i;
 *
 *	for (i = 0; i < 64 && !NFPCHAN_RECV_NR(orders, nr, &o); i++, nr++)
 *		...
 *
 * Return: 0, or negative: the message is not there, or another run is taking it, or the host is
 * writing it. Then @msg has any bytes.
 */
#define NFPCHAN_RECV_NR(chan, nr, msg) ({ \
	chan##_nfpchan_t *nfpchan_msg = (msg); \
	nfpchan_recv_nr(chan, nr, nfpchan_msg, sizeof(*nfpchan_msg)); })

/**
 * NFPCHAN_RECV() - receive the oldest message from the host
 * @chan: a channel of NFPCHAN_TO_PROG()
 * @msg: out: the message, on the stack
 *
 * Messages come in the order in which they were sent. Return: as of NFPCHAN_RECV_NR().
 */
#define NFPCHAN_RECV(chan, msg) NFPCHAN_RECV_NR(chan, NFPCHAN_NEXT(chan), msg)

#endif /* __bpf__ */

#endif /* NFPCHAN_BPF_H */
