// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* flow_sum.c - check that the records of the flow meter add up to its totals. */
#include <inttypes.h>
#include "flow_print.h"

void flow_sum_add(struct flow_sum *s, const struct flow *f)
{
	s->records++;
	s->packets += f->packets;
	s->bytes += f->bytes;
}

void flow_sum_base(struct flow_sum *s, const struct totals *base)
{
	s->base = *base;
	s->base_records = s->records;
	s->base_packets = s->packets;
	s->base_bytes = s->bytes;
}

static bool equal(const char *what, uint64_t have, const char *of, uint64_t want,
		  char *why, size_t len)
{
	if (have == want)
		return true;
	snprintf(why, len, "%s: %" PRIu64 ", but %s say %" PRIu64, what, have, of, want);
	return false;
}

bool flow_sum_check(const struct flow_sum *s, const struct totals *end,
		    char *why, size_t len)
{
	uint64_t packets = s->packets - s->base_packets;
	uint64_t bytes = s->bytes - s->base_bytes;
	const struct totals *base = &s->base;
	bool all;

	if (!equal("packets and counters", end->packets + end->not_ip + end->truncated +
		   end->malformed + end->dropped, "those seen", end->seen, why, len))
		return false;
	if (!equal("records received", s->records - s->base_records, "the totals",
		   end->records - base->records, why, len))
		return false;

	/* If no earlier reader has received records, all records of this firmware are ours. */
	all = s->base_records == base->records;
	if (all) {
		packets = s->packets;
		bytes = s->bytes;
	}
	if (all && end->active) {
		if (packets <= end->packets && bytes <= end->bytes)
			return true;
		snprintf(why, len, "packets in the records: %" PRIu64 ", more than the %" PRIu64
			 " that the totals say", packets, end->packets);
		return false;
	}
	/* Flows in the table have no record yet, so their packets are not known. */
	if (end->active || (!all && base->active))
		return true;
	return equal("packets in the records", packets, "the totals",
		     end->packets - (all ? 0 : base->packets), why, len) &&
	       equal("bytes in the records", bytes, "the totals",
		     end->bytes - (all ? 0 : base->bytes), why, len);
}
