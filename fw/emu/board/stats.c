// SPDX-License-Identifier: BSD-2-Clause
/*
 * stats.c - everything the board counts, as one JSON object.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "board.h"
#include "bpf_ctrl.h"
#include "bpf_maps.h"
#include "bpf_prog.h"
#include "cpp.h"
#include "dma.h"
#include "mac.h"
#include "mes.h"
#include "msix.h"
#include "nsp.h"
#include "tlp.h"
#include "vnic.h"
#include "bpf_frame.h"

static const char * const purpose_names[BOARD_TLP_PURPOSES] = {
	[BOARD_TLP_CONFIG]	= "config",
	[BOARD_TLP_MMIO]	= "mmio",
	[BOARD_TLP_SRAM]	= "sram",
	[BOARD_TLP_DOORBELL]	= "doorbell",
	[BOARD_TLP_DATA]	= "data",
	[BOARD_TLP_NOTE]	= "note",
	[BOARD_TLP_COMMAND]	= "command",
	[BOARD_TLP_VNIC]	= "vnic",
	[BOARD_TLP_MSIX]	= "msix",
};

const char *board_tlp_name(enum board_tlp purpose)
{
	if ((unsigned int)purpose >= BOARD_TLP_PURPOSES)
		return "unknown";
	return purpose_names[purpose];
}

void board_tlp_get(const struct board *b, enum board_tlp purpose,
		   struct board_tlp_count *c)
{
	if ((unsigned int)purpose >= BOARD_TLP_PURPOSES)
		memset(c, 0, sizeof(*c));
	else
		*c = b->tlp->n[purpose];
}

void board_tlp_clear(struct board *b)
{
	memset(b->tlp, 0, sizeof(*b->tlp));
}

static void print_tlp(FILE *f, const struct board *b)
{
	enum board_tlp p;

	fputs("\t\"tlp\": {\n", f);
	for (p = 0; p < BOARD_TLP_PURPOSES; p++) {
		const struct board_tlp_count *c = &b->tlp->n[p];

		fprintf(f, "\t\t\"%s\": {\"host_posted\": %" PRIu64
			", \"host_nonposted\": %" PRIu64 ", \"dev_posted\": %" PRIu64
			", \"dev_nonposted\": %" PRIu64 ", \"completions\": %" PRIu64
			", \"payload\": %" PRIu64 ", \"overhead\": %" PRIu64 "}%s\n",
			board_tlp_name(p), c->host_posted, c->host_nonposted,
			c->dev_posted, c->dev_nonposted, c->completions,
			c->payload, c->overhead,
			p + 1 < BOARD_TLP_PURPOSES ? "," : "");
	}
	fputs("\t},\n", f);
}

static void print_ports(FILE *f, const struct board *b)
{
	unsigned int i;

	fputs("\t\"ports\": [\n", f);
	for (i = 0; i < BOARD_PORTS; i++) {
		const struct bd_port *p = &b->mac->port[i];

		fprintf(f, "\t\t{\"rx_frames\": %" PRIu64 ", \"rx_bytes\": %" PRIu64
			", \"tx_frames\": %" PRIu64 ", \"tx_bytes\": %" PRIu64
			", \"rx_no_firmware\": %" PRIu64 ", \"rx_no_link\": %" PRIu64
			", \"rx_firmware_lost\": %" PRIu64
			", \"rx_too_long\": %" PRIu64
			", \"paused\": %" PRIu64 ", \"tx_no_link\": %" PRIu64
			", \"wire_lost\": %" PRIu64 ", \"wire_refused\": %" PRIu64 "}%s\n",
			p->rx_frames, p->rx_bytes, p->tx_frames, p->tx_bytes,
			p->rx_nofw, p->rx_nolink, p->rx_fwlost, p->too_long, p->paused,
			p->tx_nolink, bd_port_wire_lost(p), bd_port_wire_refused(p),
			i + 1 < BOARD_PORTS ? "," : "");
	}
	fputs("\t],\n", f);
}

static void print_vnics(FILE *f, const struct board *b)
{
	unsigned int i;

	fputs("\t\"vnics\": [\n", f);
	for (i = 0; i < BOARD_PORTS; i++) {
		const struct bd_vnic_total *t = &b->nic->vnic[i].total;

		fprintf(f, "\t\t{\"reconfigs\": %" PRIu64 ", \"faults\": %" PRIu64
			", \"rx_given\": %" PRIu64 ", \"rx_filtered\": %" PRIu64
			", \"rx_off\": %" PRIu64 ", \"rx_errors\": %" PRIu64
			", \"rx_discards\": %" PRIu64 ", \"rx_consumed\": %" PRIu64
			", \"tx_unsent\": %" PRIu64 "}%s\n",
			t->reconfigs, t->faults, t->rx_given, t->rx_filtered, t->rx_off,
			t->rx_errors, t->rx_discards, t->rx_consumed, t->tx_unsent,
			i + 1 < BOARD_PORTS ? "," : "");
	}
	fputs("\t],\n", f);
}

static void print_bpf(FILE *f, const struct board *b)
{
	fprintf(f, "\t\"bpf\": {\"maps\": %u, \"map_elements\": %u, \"maps_made\": %" PRIu64
		", \"maps_freed\": %" PRIu64 ", \"requests\": %" PRIu64
		", \"refused\": %" PRIu64 ", \"dropped\": %" PRIu64 ", \"events\": %" PRIu64
		", \"events_lost\": %" PRIu64 ", \"faults\": %" PRIu64
		", \"loads\": [%" PRIu64 ", %" PRIu64
		"], \"loads_refused\": %" PRIu64 "},\n",
		b->maps->count, b->maps->elems, b->ccm->made, b->ccm->freed, b->ccm->requests,
		b->ccm->refused, b->ccm->dropped, b->ccm->events, b->ccm->events_lost,
		b->nic->vnic[BD_VNIC_CTRL].total.faults,
		b->ustore->prog[0].loads, b->ustore->prog[1].loads, b->ustore->refused);
}

static void print_xdp(FILE *f, const struct board *b)
{
	fprintf(f, "\t\"xdp\": {\"packets\": %" PRIu64 ", \"instructions\": %" PRIu64
		", \"faults\": %" PRIu64 ", \"tx_full\": %" PRIu64
		", \"events\": %" PRIu64 ", \"events_lost\": %" PRIu64 "},\n",
		b->xdp->packets, b->xdp->insns, b->xdp->faults, b->xdp->tx_full,
		b->xdp->events, b->xdp->events_lost);
}

static unsigned int msix_pending(const struct board *b)
{
	unsigned int i, n = 0;

	for (i = 0; i < BOARD_MSIX_VECTORS / 64; i++)
		n += __builtin_popcountll(b->msix->pending[i]);
	return n;
}

static void print_json(FILE *f, const struct board *b)
{
	fputs("{\n", f);
	print_tlp(f, b);
	print_ports(f, b);
	fprintf(f, "\t\"dma\": {\"descriptors\": %" PRIu64 ", \"faults\": %" PRIu64
		", \"bytes_from_host\": %" PRIu64 ", \"bytes_to_host\": %" PRIu64 "},\n",
		b->dma->descs, b->dma->faults, b->dma->bytes[0], b->dma->bytes[1]);
	fprintf(f, "\t\"msix\": {\"sent\": %" PRIu64 ", \"deferred\": %" PRIu64
		", \"pending\": %u},\n", b->msix->sent, b->msix->deferred, msix_pending(b));
	print_vnics(f, b);
	print_bpf(f, b);
	print_xdp(f, b);
	bd_mes_stats(b, f);
	fprintf(f, "\t\"nsp_commands\": %" PRIu64 ",\n\t\"unsupported\": %" PRIu64 "\n}\n",
		b->nsp->commands, b->cpp->unsupported);
}

int board_stats_json(const struct board *b, const char *path)
{
	FILE *f = fopen(path, "w");
	int err = 0;

	if (!f)
		return -errno;
	print_json(f, b);
	if (ferror(f))
		err = -EIO;
	if (fclose(f) && !err)
		err = -errno;
	return err;
}
