// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * flow_pps.c - packets a second through board and flow meter on one core, and
 * what a record costs on the PCIe link.
 *
 * usage: flow_pps [MILLIONS [FLOWS]]
 *
 * A wire of 64-byte TCP packets (60 without FCS) of FLOWS flows in turn, each
 * ended by FIN after 256 packets; a consumer takes every record from the ring
 * and gives the room back. Wire, board, firmware and consumer share a thread.
 */
#include <time.h>

#define FW_HOST_PLAIN
#include "../unit/fw_host.h"
#include "../unit/fw_wire.h"
#include <linux/nfp_chan_flow.h>

#define FLOW_PACKETS	256

static uint32_t flows = 512;

static bool next(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	uint64_t turn = n / flows;

	/* Only what differs from packet to packet is written: it is not measured. */
	w->frame[28] = (uint8_t)(n % flows >> 8);
	w->frame[29] = (uint8_t)(n % flows);
	w->frame[47] = turn % FLOW_PACKETS == FLOW_PACKETS - 1 ? 0x11 : 0x10;
	f->ts_ns = n * 67;	/* 10 Gb/s */
	return true;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static uint64_t consume(struct fw_pipe *p)
{
	struct nfp_flow_record r;
	uint64_t n = 0;

	while (fw_recv(p, &r, sizeof(r)) == (int)sizeof(r))
		n++;
	if (n)
		fw_ring(p);
	return n;
}

static void print_tlps(struct board *b, uint64_t records)
{
	static const enum board_tlp what[] = {
		BOARD_TLP_DATA, BOARD_TLP_NOTE, BOARD_TLP_DOORBELL, BOARD_TLP_MSIX,
	};
	uint64_t tlps = 0, bytes = 0;

	for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
		struct board_tlp_count c;
		uint64_t n;

		board_tlp_get(b, what[i], &c);
		n = c.host_posted + c.host_nonposted + c.dev_posted + c.dev_nonposted +
		    c.completions;
		tlps += n;
		bytes += c.payload + c.overhead;
		printf("  %-9s %6.3f TLPs %7.1f bytes a record, %llu non-posted\n",
		       board_tlp_name(what[i]), (double)n / (double)records,
		       (double)(c.payload + c.overhead) / (double)records,
		       (unsigned long long)(c.host_nonposted + c.dev_nonposted));
	}
	printf("  all       %6.3f TLPs %7.1f bytes a record of 80 bytes\n",
	       (double)tlps / (double)records, (double)bytes / (double)records);
}

int main(int argc, char **argv)
{
	uint64_t packets = (argc > 1 ? strtoull(argv[1], NULL, 10) : 5) * 1000000;
	struct fw_wire wire = { .next = next, .limit = packets };
	struct fw_pipe pipe;
	struct fw_host h;
	uint64_t records = 0;
	double start, took;

	if (argc > 2)
		flows = (uint32_t)strtoul(argv[2], NULL, 10);
	if (!packets || !flows || flows > 65535) {
		fprintf(stderr, "usage: flow_pps [MILLIONS [FLOWS, 1 to 65535]]\n");
		return 2;
	}
	fw_frame(wire.frame, 0, 6, 0);
	fw_host_start(&h);
	assert_int_equal(fw_hello(&h), NFP_CHAN_FW_OK);
	board_wire(inproc_board(h.ip), 0, &fw_wire_ops, &wire);
	board_tlp_clear(inproc_board(h.ip));
	start = now();
	assert_int_equal(fw_open(&pipe, &h, 0, CHAN_ID_FLOWS, 17), NFP_CHAN_FW_OK);
	records = consume(&pipe);
	while (wire.n < packets) {
		board_run(inproc_board(h.ip), 4096);
		records += consume(&pipe);
	}
	inproc_run(h.ip);
	records += consume(&pipe);
	took = now() - start;
	printf("%llu packets of %u flows in %.3f s: %.2f M packets/s, %.0f ns a packet\n",
	       (unsigned long long)packets, flows, took, (double)packets / took / 1e6,
	       took / (double)packets * 1e9);
	printf("%llu records\n", (unsigned long long)records);
	if (records)
		print_tlps(inproc_board(h.ip), records);
	fw_host_stop(&h);
	return records == packets / flows / FLOW_PACKETS * flows ||
	       packets / flows % FLOW_PACKETS == FLOW_PACKETS - 1 ? 0 : 1;
}
