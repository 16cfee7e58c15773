// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * flow_pps.c - packets a second through board and flow meter on one core, and the bytes on the
 * PCIe link for each flow record.
 *
 * usage: flow_pps [SECONDS]
 *
 * The wire brings 64-byte TCP packets (60 without FCS) of 512 flows in turn. A FIN ends each flow
 * after 256 packets. A consumer takes every record from the ring and gives the room back. Wire,
 * board, firmware and consumer share a thread.
 */
#define _GNU_SOURCE
#include "bench_time.h"

#define FW_HOST_PLAIN
#include "fw_host.h"
#include "fw_wire.h"
#include <nfpchan/nfp_chan_flow.h>

#define FLOW_PACKETS	256
#define FLOWS		512

static bool next(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	uint64_t turn = n / FLOWS;

	/*
	 * Write only the bytes that differ between packets, so that making packets costs little
	 * time.
	 */
	w->frame[28] = (uint8_t)(n % FLOWS >> 8);
	w->frame[29] = (uint8_t)(n % FLOWS);
	w->frame[47] = turn % FLOW_PACKETS == FLOW_PACKETS - 1 ? 0x11 : 0x10;
	f->ts_ns = n * 67;	/* 10 Gb/s */
	return true;
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

static struct fw_host h;
static struct fw_pipe records_pipe;
static struct fw_wire wire = { .next = next, .limit = UINT64_MAX };
static uint64_t records;

static uint64_t run(void *ctx)
{
	uint64_t before = wire.n;

	board_run(h.host->b, 4096);
	records += consume(&records_pipe);
	return wire.n - before;
}

static double link_bytes(void)
{
	static const enum board_tlp what[] = {
		BOARD_TLP_DATA, BOARD_TLP_NOTE, BOARD_TLP_DOORBELL, BOARD_TLP_MSIX,
	};
	struct board_tlp_count c;
	uint64_t bytes = 0;

	for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
		board_tlp_get(h.host->b, what[i], &c);
		bytes += c.payload + c.overhead;
	}
	return (double)bytes;
}

int main(int argc, char **argv)
{
	bench_args(argc, argv);
	fw_frame(wire.frame, 0, 6, 0);
	fw_host_start(&h);
	assert_int_equal(fw_hello(&h), NFP_CHAN_FW_OK);
	board_wire(h.host->b, 0, &fw_wire_ops, &wire);
	board_tlp_clear(h.host->b);
	assert_int_equal(fw_open(&records_pipe, &h, 0, CHAN_ID_FLOWS, 17), NFP_CHAN_FW_OK);
	bench_print("flow_Mpps", bench_rate(run, NULL) / 1e6);
	while (!records)
		run(NULL);
	bench_print("flow_record_link_bytes", link_bytes() / (double)records);
	fw_host_stop(&h);
	return 0;
}
