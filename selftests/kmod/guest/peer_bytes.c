// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_bytes.c - send a stream from card to card: from source64 of the first to sink64 of the
 * second. selftests/bench/chain_cards reads the cost from the cards' counters.
 *
 * usage: peer_bytes push|staging BYTES
 */
#define _GNU_SOURCE
#include "peer_cards.h"
#include "stream.h"

int main(int argc, char **argv)
{
	unsigned int flags = argc > 1 && !strcmp(argv[1], "staging") ? NFP_CHAN_PEER_STAGE : 0;
	uint64_t bytes = argc > 2 ? strtoull(argv[2], NULL, 0) : 1 << 20;
	struct source_req req = { htole64(bytes), htole32(SOURCE_PERIOD), htole32(SOURCE_64) };
	int a = card_nth(0), b = card_nth(1);
	int ctl = chan_must(a, "source-ctl", 0), from = from_open(a, "source64");
	int to = chan_must(b, "sink64", 0), link = peer_fds(from, to, flags);

	if (link < 0)
		die("link");
	alarm((unsigned int)PROGRAM_S * 2);
	is(link_stat(link).via, flags ? NFP_CHAN_LINK_STAGED : NFP_CHAN_LINK_PUSHED, argv[1]);
	if (write(ctl, &req, sizeof(req)) != sizeof(req))
		die("source-ctl");
	ok(UNTIL(link_stat(link).bytes == bytes), "%llu bytes", (unsigned long long)bytes);
	return tap_done();
}
