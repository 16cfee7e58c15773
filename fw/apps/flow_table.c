// SPDX-License-Identifier: BSD-2-Clause
/*
 * flow_table.c - flows in a hash table of fixed size.
 *
 * A bucket holds FLOW_WAYS flows. If a new flow needs a place in a full bucket, the flow with the
 * oldest last packet is reported and removed. So each packet looks at one bucket only, even if
 * the table is full. The hash has a secret key, so a sender cannot direct packets to one bucket.
 *
 * One context owns the table. A report may wait for room in the channel, and no other context
 * changes the table during the wait.
 */
#include <nfpchan/nfp_chan_flow.h>
#include <nfp/mem_bulk.h>

#include "chan_mem.h"
#include "flow.h"

ctassert(sizeof(struct flow_key) == 4 * FLOW_KEY_WORDS);

__export __emem __align64 struct flow flow_table[FLOW_BUCKETS][FLOW_WAYS];
EXPORT_SYMBOL_MU(flow_table);

static __shared __lmem struct {
	uint32_t key[2];
	uint32_t active;
	uint32_t next;		/* next bucket to sweep */
	uint64_t idle_ns;
	uint64_t active_ns;
} table;

/*
 * HalfSipHash-1-3 has only 32-bit additions, rotations and exclusive ors. A microengine does each
 * of them in a cycle.
 */
#define ROTL(x, n)	((x) << (n) | (x) >> (32 - (n)))
#define SIP_ROUND(v0, v1, v2, v3) do { \
	v0 += v1; v1 = ROTL(v1, 5); v1 ^= v0; v0 = ROTL(v0, 16); \
	v2 += v3; v3 = ROTL(v3, 8); v3 ^= v2; \
	v0 += v3; v3 = ROTL(v3, 7); v3 ^= v0; \
	v2 += v1; v1 = ROTL(v1, 13); v1 ^= v2; v2 = ROTL(v2, 16); \
} while (0)

static uint32_t hash(const struct flow_key *k)
{
	uint32_t w[FLOW_KEY_WORDS];
	uint32_t v0 = table.key[0], v1 = table.key[1];
	uint32_t v2 = table.key[0] ^ 0x6c796765, v3 = table.key[1] ^ 0x74656462;
	uint32_t last = (uint32_t)sizeof(*k) << 24;
	uint32_t i;

	reg_cp(w, k, sizeof(w));
	for (i = 0; i < FLOW_KEY_WORDS; i++) {
		v3 ^= w[i];
		SIP_ROUND(v0, v1, v2, v3);
		v0 ^= w[i];
	}
	v3 ^= last;
	SIP_ROUND(v0, v1, v2, v3);
	v0 ^= last;
	v2 ^= 0xff;
	SIP_ROUND(v0, v1, v2, v3);
	SIP_ROUND(v0, v1, v2, v3);
	SIP_ROUND(v0, v1, v2, v3);
	return v1 ^ v3;
}

void flow_table_init(uint32_t key0, uint32_t key1)
{
	table.key[0] = key0;
	table.key[1] = key1;
	flow_table_times(NFP_FLOW_IDLE_MS, NFP_FLOW_ACTIVE_MS);
}

static void set_time(__lmem uint64_t *ns, uint32_t ms)
{
	if (ms == NFP_FLOW_NEVER)
		*ns = ~0ull;
	else if (ms)
		*ns = (uint64_t)ms * 1000000;
}

void flow_table_times(uint32_t idle_ms, uint32_t active_ms)
{
	set_time(&table.idle_ns, idle_ms);
	set_time(&table.active_ns, active_ms);
}

uint32_t flow_table_active(void)
{
	return table.active;
}

static __swaps void end(__emem struct flow *f, unsigned int reason)
{
	flow_report(f, reason);
	f->packets = 0;
	table.active--;
}

/* If the time of packets has stepped back, no time is out. */
static int is_out(uint64_t now_ns, uint64_t since_ns, uint64_t limit_ns)
{
	return now_ns > since_ns && now_ns - since_ns > limit_ns;
}

/* End a flow whose time is out. */
static __swaps void expire(__emem struct flow *f, uint64_t now_ns)
{
	if (is_out(now_ns, f->last_ns, table.idle_ns))
		end(f, NFP_FLOW_END_IDLE);
	else if (is_out(now_ns, f->first_ns, table.active_ns))
		end(f, NFP_FLOW_END_ACTIVE);
}

static __swaps int same_key(const __emem struct flow *f, const struct flow_key *key)
{
	__xread uint32_t in[FLOW_KEY_WORDS];
	uint32_t w[FLOW_KEY_WORDS], other = 0;
	unsigned int i;

	reg_cp(w, key, sizeof(w));
	mem_read32(in, emem40(&f->key), sizeof(in));
	for (i = 0; i < FLOW_KEY_WORDS; i++)
		other |= in[i] ^ w[i];
	return !other;
}

/* Return: the place of the flow, or a free place for it. */
static __swaps __emem struct flow *find(const struct flow_pkt *pkt, uint32_t tag)
{
	__emem struct flow *bucket = flow_table[tag & (FLOW_BUCKETS - 1)];
	__emem struct flow *place = NULL, *oldest = &bucket[0], *f;
	unsigned int i;

	for (i = 0; i < FLOW_WAYS; i++) {
		f = &bucket[i];
		if (!f->packets) {
			place = f;
			continue;
		}
		if (f->tag == tag && same_key(f, &pkt->key))
			return f;
		if (f->last_ns < oldest->last_ns)
			oldest = f;
	}
	if (place)
		return place;
	end(oldest, NFP_FLOW_END_EVICT);
	return oldest;
}

void flow_table_add(const struct flow_pkt *pkt, uint64_t ts_ns, unsigned int port)
{
	uint32_t tag = hash(&pkt->key);
	__emem struct flow *f = find(pkt, tag);

	if (f->packets)
		expire(f, ts_ns);
	if (!f->packets) {
		f->key = pkt->key;
		f->tag = tag;
		f->bytes = 0;
		f->first_ns = ts_ns;
		f->last_ns = ts_ns;
		f->tcp_flags = 0;
		f->port = (uint8_t)port;
		f->tos = pkt->tos;
		f->ttl = pkt->ttl;
		table.active++;
	}
	f->packets++;
	f->bytes += pkt->bytes;
	f->tcp_flags |= pkt->tcp_flags;
	if (pkt->ttl < f->ttl)
		f->ttl = pkt->ttl;
	if (ts_ns > f->last_ns)
		f->last_ns = ts_ns;
	if (pkt->tcp_flags & FLOW_TCP_RST)
		end(f, NFP_FLOW_END_RST);
	else if (pkt->tcp_flags & FLOW_TCP_FIN)
		end(f, NFP_FLOW_END_FIN);
}

void flow_table_sweep(const __lmem uint64_t *now_ns, unsigned int buckets)
{
	__emem struct flow *bucket, *f;
	unsigned int i;

	for (; buckets; buckets--) {
		bucket = flow_table[table.next];
		table.next = (table.next + 1) & (FLOW_BUCKETS - 1);
		for (i = 0; i < FLOW_WAYS; i++) {
			f = &bucket[i];
			if (f->packets)
				expire(f, now_ns[f->port]);
		}
	}
}

void flow_table_flush(void)
{
	unsigned int b, i;

	for (b = 0; b < FLOW_BUCKETS && table.active; b++)
		for (i = 0; i < FLOW_WAYS; i++)
			if (flow_table[b][i].packets)
				end(&flow_table[b][i], NFP_FLOW_END_FLUSH);
}
