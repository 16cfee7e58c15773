// SPDX-License-Identifier: BSD-2-Clause
/*
 * board.c - the card as a whole: life, resets, options, and what runs when.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>
#include <time.h>

#include "board_int.h"
#include "fault.h"

/*
 * Lines of log: so many at once, and so many a second in the long run. A host
 * can cause some by its accesses, and may not fill a disk. Errors, why a
 * connection ended among them, are always said.
 */
#define LOG_BURST	1000u
#define LOG_PER_SECOND	20u

/* Frames taken from the wires before contexts and DMA get their turn. */
#define PORT_BATCH	32u

static const struct bd_ident default_ident = {
	.mac = { 0x00, 0x15, 0x4d, 0x12, 0x34, 0x60 },
	.serial = { 0x00, 0x15, 0x4d, 0x12, 0x34, 0x56 },
	.temp_mc = 42000,
	.power_uw = 11000000,
};

void board_log(int level, const char *fmt, ...)
{
	static const char * const names[] = {
		"emerg", "alert", "crit", "error", "warning", "notice", "info", "debug",
	};
	static uint64_t second, room = LOG_BURST, lost;
	uint64_t now = board_now_ns(NULL) / 1000000000;
	char line[256];
	va_list ap;

	if (now != second) {
		room += second ? (now - second) * LOG_PER_SECOND : 0;
		if (room > LOG_BURST)
			room = LOG_BURST;
		second = now;
	}
	if (level > LOG_ERR && !room) {
		lost++;
		return;
	}
	room -= room > 0;
	if (lost)
		fprintf(stderr, "nfpboard: notice: %llu lines left out\n",
			(unsigned long long)lost);
	lost = 0;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fprintf(stderr, "nfpboard: %s: %s\n", names[level & 7], line);
}

uint64_t board_now_ns(const struct board *b)
{
	struct timespec ts;

	(void)b;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* ---- life ---- */

/* Tables in the card's memory that describe it to the host. */
void bd_tables_build(struct board *b)
{
	bd_resource_build(b);
	bd_hwinfo_build(b);
	bd_nffw_build(b);
}

static void fw_stop(struct board *b)
{
	if (b->fw_running && b->fw->stop)
		b->fw->stop(b->fw_ctx);
	b->fw_running = false;
}

static void fw_start(struct board *b)
{
	if (!b->fw)
		return;
	b->fw_running = true;
	if (b->fw->start)
		b->fw->start(b->fw_ctx, b);
}

/* All memory and registers as after power-on, and firmware from its start. */
static void power_on(struct board *b)
{
	fw_stop(b);
	if (b->fault)
		bd_fault_reset(b);
	bd_dma_reset(b);
	bd_msix_reset(b);
	bd_pcie_reset(b);
	bd_win_reset(b);
	bd_mu_reset(b);
	bd_ring_reset(b);
	bd_nsp_reset(b);
	bd_bpf_reset(b);
	bd_nffw_reset(b);
	bd_cfg_reset(b);
	bd_port_reset(b);
	bd_vnic_reset(b);
	bd_tables_build(b);
	bd_port_start(b);
	fw_start(b);
}

/*
 * The microengines alone, as the NSP's soft reset does. The queue controllers
 * and DMA engine belong to what runs there; the host's windows stay.
 */
void bd_fw_restart(struct board *b)
{
	fw_stop(b);
	bd_dma_reset(b);
	bd_msix_reset(b);
	bd_pcie_reset(b);
	bd_ring_reset(b);
	bd_pkt_reset(b);
	b->mu.nmapped = 0;
	bd_bpf_reset(b);
	bd_nffw_reset(b);
	bd_vnic_reset(b);
	bd_nffw_build(b);
	bd_port_start(b);
	fw_start(b);
}

/* What runs on the microengines, without the vNICs: those are others'. */
void bd_chan_restart(struct board *b)
{
	fw_stop(b);
	bd_dma_reset(b);
	bd_ring_reset(b);
	bd_pkt_reset(b);
	b->mu.nmapped = 0;
	bd_nffw_reset(b);
	bd_nffw_build(b);
	fw_start(b);
}

struct board *board_create(const struct board_fw *fw, void *fw_ctx)
{
	struct board *b = calloc(1, sizeof(*b));

	if (!b) {
		errno = ENOMEM;
		return NULL;
	}
	b->fw = fw;
	b->fw_ctx = fw_ctx;
	b->ident = default_ident;
	b->app_bpf = true;
	if (bd_mu_init(b) || bd_pkt_init(b)) {
		board_destroy(b);
		errno = ENOMEM;
		return NULL;
	}
	power_on(b);
	return b;
}

void board_destroy(struct board *b)
{
	if (!b)
		return;
	fw_stop(b);
	bd_fault_exit(b);
	bd_port_exit(b);
	bd_pkt_exit(b);
	bd_xdp_exit(b);
	bd_prog_images(b, NULL);
	bd_maps_reset(b);
	bd_mu_exit(b);
	free(b);
}

void board_attach(struct board *b, const struct board_host_ops *ops, void *ctx)
{
	b->host = ops;
	b->host_ctx = ctx;
}

void board_reset(struct board *b, enum board_reset how)
{
	if (how != BOARD_RESET_FLR) {
		power_on(b);
		return;
	}
	/*
	 * A function level reset is of the PCIe function: memory, microengines
	 * and window CSRs keep their state. With bus mastering off, DMA that
	 * is still queued ends in errors, which is how firmware learns of it.
	 */
	board_log(LOG_INFO, "function level reset");
	if (b->fault)
		bd_fault_flr(b);
	bd_cfg_reset(b);
	bd_msix_reset(b);
	bd_vnic_flr(b);
}

/* ---- what runs when ---- */

static bool fw_runs(const struct board *b)
{
	return b->fw_running && !(b->fault && bd_fault_halted(b));
}

/*
 * Microengines and DMA engine work side by side, and are not slower than the
 * wire: what a batch of frames sets off is done, or nearly so, before the next
 * is taken. A context has one DMA under way, so a round is one message of each.
 */
static unsigned int engines_run(struct board *b, unsigned int budget, bool *more)
{
	unsigned int did = 0, n;

	do {
		if (fw_runs(b) && b->fw->run && b->fw->run(b->fw_ctx, budget))
			*more = true;
		n = bd_dma_run(b, budget - did);
		did += n;
	} while (n && did < budget);
	return did;
}

bool board_run(struct board *b, unsigned int budget)
{
	unsigned int left = budget;

	while (left) {
		unsigned int did = 0, batch = left < PORT_BATCH ? left : PORT_BATCH;
		bool more = bd_pcie_events(b);

		did += bd_port_run(b, batch, &more);
		did += engines_run(b, left, &more);
		did += bd_vnic_run(b, batch, &more);
		if (b->port_kick)
			more = true;
		b->port_kick = false;
		if (!did && !more)
			return false;
		/* Rounds that moved nothing that is counted cost budget, too. */
		did += !did;
		left -= did < left ? did : left;
	}
	return true;
}

static uint64_t earlier(uint64_t x, uint64_t y)
{
	return x < y ? x : y;
}

uint64_t board_deadline(const struct board *b)
{
	uint64_t at = BD_NEVER;

	if (fw_runs(b) && b->fw->deadline)
		at = b->fw->deadline(b->fw_ctx);
	return earlier(at, earlier(bd_port_deadline(b), bd_vnic_deadline(b)));
}

/* ---- options ---- */

static bool parse_mac(const char *s, uint8_t mac[6])
{
	unsigned int v[6], i;
	char rest;

	if (strlen(s) != 17 || sscanf(s, "%2x:%2x:%2x:%2x:%2x:%2x%c", &v[0], &v[1],
				      &v[2], &v[3], &v[4], &v[5], &rest) != 6)
		return false;
	for (i = 0; i < 6; i++)
		mac[i] = v[i];
	return true;
}

static bool set_start(struct board *b, const char *value)
{
	if (strcmp(value, "flows") && strcmp(value, "link"))
		return false;
	b->start_link = !strcmp(value, "link");
	bd_port_start(b);
	return true;
}

/* Another application is another firmware, loaded anew. */
static bool set_app(struct board *b, const char *value)
{
	if (strcmp(value, "nic") && strcmp(value, "bpf"))
		return false;
	b->app_bpf = !strcmp(value, "bpf");
	bd_fw_restart(b);
	return true;
}

static bool set_mac(struct board *b, const char *value)
{
	uint8_t mac[6];

	/* Port 1 gets the next address, so the last byte must have room. */
	if (!parse_mac(value, mac) || mac[0] & 1 || mac[5] == 0xff)
		return false;
	memcpy(b->ident.mac, mac, 6);
	bd_tables_build(b);
	return true;
}

static bool set_serial(struct board *b, const char *value)
{
	if (!parse_mac(value, b->ident.serial))
		return false;
	bd_cfg_serial(b);
	bd_tables_build(b);
	return true;
}

static bool set_number(const char *value, unsigned long max, uint32_t *v)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(value, &end, 10);
	if (errno || end == value || *end || *value == '-' || n > max)
		return false;
	*v = n;
	return true;
}

static bool set_temp(struct board *b, const char *value)
{
	return set_number(value, 150000, &b->ident.temp_mc);
}

static bool set_power(struct board *b, const char *value)
{
	return set_number(value, 100000000, &b->ident.power_uw);
}

static bool set_images(struct board *b, const char *value)
{
	return !bd_prog_images(b, value);
}

static const struct {
	const char *key;
	const char *allowed;
	bool (*set)(struct board *b, const char *value);
} options[] = {
	{ "app", "nic or bpf", set_app },
	{ "start", "flows or link", set_start },
	{ "mac", "a unicast address xx:xx:xx:xx:xx:xx, last byte not ff", set_mac },
	{ "serial", "xx:xx:xx:xx:xx:xx", set_serial },
	{ "temperature", "0 to 150000 (mC)", set_temp },
	{ "power", "0 to 100000000 (uW)", set_power },
	{ "images", "a file that can be written", set_images },
	{ "fault", "off, or NAME[:after=N][:count=N][:value=N][:chan=NAME],... (selftests/kmod/FAULTS.rst)",
	  bd_fault_set },
};

int board_set(struct board *b, const char *key, const char *value,
	      char *err, size_t errlen)
{
	char keys[64] = "";
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (strcmp(key, options[i].key)) {
			snprintf(keys + strlen(keys), sizeof(keys) - strlen(keys),
				 "%s%s", i ? ", " : "", options[i].key);
			continue;
		}
		if (options[i].set(b, value))
			return 0;
		snprintf(err, errlen, "%s=%s: must be %s", key, value, options[i].allowed);
		return -EINVAL;
	}
	snprintf(err, errlen, "%s: no such option; there are %s", key, keys);
	return -ENOENT;
}
