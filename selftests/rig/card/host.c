// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * host.c - an emulated card and a host in one process, for unit tests and benchmarks.
 */
#include <linux/pci_regs.h>
#include <strings.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#define FW_HOST_PLAIN
#include "clock.h"
#include "host.h"

#define PAGE		4096u
#define BUS_END		(1ull << 40)
#define P2C_CONFIG	0x400	/* the first window CSR, in configuration space */

/* Memory that host_dma_free() has to free, by bus address */
struct host_owned {
	struct host_owned *next;
	uint64_t bus;
	void *mem;
};

void host_log(struct host *h, enum host_event what, uint64_t addr, size_t len)
{
	if (h->logged == HOST_LOG)
		return;
	h->log[h->logged].what = what;
	h->log[h->logged].addr = addr;
	h->log[h->logged++].len = len;
}

static int fault(struct host *h, const char *what, uint64_t addr, size_t len)
{
	if (!h->faults++)
		board_log(LOG_NOTICE, "host: DMA %s at %#llx, %zu bytes: not mapped",
			  what, (unsigned long long)addr, len);
	return -EFAULT;
}

static int dma_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct host *h = ctx;

	host_log(h, HOST_READ, addr, len);
	return dma_map_read(&h->dma, addr, buf, len) ? fault(h, "read", addr, len) : 0;
}

static int dma_write(void *ctx, uint64_t addr, const void *buf, size_t len)
{
	struct host *h = ctx;

	host_log(h, HOST_WRITE, addr, len);
	return dma_map_write(&h->dma, addr, buf, len) ? fault(h, "write", addr, len) : 0;
}

static int msix(void *ctx, unsigned int vector)
{
	struct host *h = ctx;

	must(vector < BOARD_MSIX_VECTORS);
	if (!h->armed[vector])
		return -ENOENT;
	h->irqs[vector]++;
	host_log(h, HOST_MSIX, vector, 0);
	if (h->on_irq[vector])
		h->on_irq[vector](h->irq_arg[vector], vector);
	return 0;
}

static const struct board_host_ops host_ops = {
	.dma_read = dma_read,
	.dma_write = dma_write,
	.msix = msix,
};

/* ---- configuration ---- */

unsigned int host_find_cap(struct host *h, unsigned int id)
{
	unsigned int cap = cfg_read(h, PCI_CAPABILITY_LIST, 1);

	while (cfg_read(h, cap, 1) != id) {
		cap = cfg_read(h, cap + PCI_CAP_LIST_NEXT, 1);
		must(cap);
	}
	return cap;
}

void host_readrq(struct host *h, unsigned int bytes)
{
	unsigned int ctl = host_find_cap(h, PCI_CAP_ID_EXP) + PCI_EXP_DEVCTL;

	cfg_write(h, ctl, (cfg_read(h, ctl, 2) & ~PCI_EXP_DEVCTL_READRQ) |
		  (unsigned int)(ffs((int)bytes) - 8) << 12, 2);
}

void host_windows(struct host *h)
{
	cfg_write(h, P2C_CONFIG, 0x60000000, 4);	/* BAR0.0 GENERAL */
	csr_write(h, 1, 0x27000000);		/* BAR0.1 BULK, XPB */
	csr_write(h, 4, 0x80000000);		/* BAR0.4 EXPLICIT0 */
	csr_write(h, 5, 0xa0000000);		/* BAR0.5 EXPLICIT1 */
	csr_write(h, 2, 0x03838100);		/* BAR0.2 FIXED, MU act 3 */
	csr_write(h, 3, 0x03e58100);		/* BAR0.3 FIXED, MU act 5 tok 3 */
	csr_write(h, 6, 0x03848100);		/* BAR0.6 FIXED, MU act 4 */
	csr_write(h, 18, 0x20000000);		/* BAR4.2 BULK, PCIe-internal */
}

/* Initialise the card like the kernel's PCI core, pci_enable_msix_range() and nfp.ko's probe. */
static void enumerate(struct host *h)
{
	cfg_write(h, PCI_COMMAND, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER, 2);
	cfg_write(h, host_find_cap(h, PCI_CAP_ID_MSIX) + PCI_MSIX_FLAGS, PCI_MSIX_FLAGS_ENABLE, 2);
	host_windows(h);
}

static void sleep_until(uint64_t ns)
{
	struct timespec ts = { .tv_sec = ns / 1000000000ull, .tv_nsec = ns % 1000000000ull };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/*
 * Run firmware that has just started until no ME process waits for an alarm. Each process uses
 * alarms at its start to poll whether the channel managers run (chan_attach()). A process that never
 * finds its managers gets POLLS of them.
 */
#define POLLS	1000

void host_boot(struct host *h)
{
	unsigned int polls = 0;
	uint64_t next;

	if (!h->fw || !h->fw->deadline)
		return;
	do {
		host_run(h);
		next = board_deadline(h->b);
		if (next != UINT64_MAX)
			sleep_until(next);
	} while (next != UINT64_MAX && ++polls < POLLS);
}

struct host *host_create(const struct board_fw *fw, void *fw_ctx)
{
	struct host *h = calloc(1, sizeof(*h));
	uint64_t bus;

	must(h);
	h->bus_next = HOST_BASE;
	h->mem = host_dma_alloc(h, HOST_SIZE, &bus);
	h->b = board_create(fw, fw_ctx);
	must(h->b);
	h->fw = fw;
	h->fw_ctx = fw_ctx;
	board_attach(h->b, &host_ops, h);
	enumerate(h);
	host_boot(h);
	return h;
}

struct host *host_create_full(const struct board_fw *fw, void *fw_ctx)
{
	struct host *h = host_create(fw, fw_ctx);
	char err[128];

	must(!board_set(h->b, "firmware", "full", err, sizeof(err)));
	return h;
}

void host_destroy(struct host *h)
{
	board_attach(h->b, NULL, NULL);
	board_destroy(h->b);
	while (h->owned)
		host_dma_free(h, h->owned->bus);
	dma_map_free(&h->dma);
	free(h);
}

int host_setup(void **state)
{
	*state = host_create(NULL, NULL);
	return 0;
}

int host_teardown(void **state)
{
	host_destroy(*state);
	return 0;
}

void host_reset(struct host *h, enum board_reset how)
{
	board_reset(h->b, how);
	enumerate(h);
	host_boot(h);
}

/* ---- memory ---- */

void host_dma_map(struct host *h, void *mem, size_t len, uint64_t *bus)
{
	size_t room = (len + PAGE - 1) / PAGE * PAGE;

	must(len && (uintptr_t)mem % PAGE == 0 && len <= BUS_END - h->bus_next - PAGE);
	must(!dma_map_add(&h->dma, h->bus_next, len, mem, DMA_MAP_READ | DMA_MAP_WRITE));
	*bus = h->bus_next;
	h->bus_next += room + PAGE;
}

void *host_dma_alloc(struct host *h, size_t len, uint64_t *bus)
{
	size_t room = (len + PAGE - 1) / PAGE * PAGE;
	struct host_owned *o = malloc(sizeof(*o));
	void *mem = aligned_alloc(PAGE, room);

	must(o && mem);
	memset(mem, 0, room);
	host_dma_map(h, mem, len, bus);
	*o = (struct host_owned){ .next = h->owned, .bus = *bus, .mem = mem };
	h->owned = o;
	return mem;
}

void host_dma_free(struct host *h, uint64_t bus)
{
	struct host_owned **link = &h->owned, *o;

	for (size_t i = 0; i < h->dma.count; i++) {
		if (h->dma.regions[i].addr == bus) {
			dma_map_del(&h->dma, &h->dma.regions[i]);
			break;
		}
	}
	while ((o = *link) && o->bus != bus)
		link = &o->next;
	if (!o)
		return;
	*link = o->next;
	free(o->mem);
	free(o);
}

/* ---- PCIe-internal addresses ---- */

void pcie_read_buf(struct host *h, uint32_t off, void *buf, size_t len)
{
	uint8_t *p = buf;

	while (len) {
		unsigned int n = len >= 4 && off % 4 == 0 ? 4 : 1;
		uint32_t v = bar_read(h, 4, PCIE(off), n);

		memcpy(p, &v, n);
		p += n;
		off += n;
		len -= n;
	}
}

void pcie_write_buf(struct host *h, uint32_t off, const void *buf, size_t len)
{
	const uint8_t *p = buf;

	while (len) {
		unsigned int n = len >= 4 && off % 4 == 0 ? 4 : 1;
		uint32_t v = 0;

		memcpy(&v, p, n);
		bar_write(h, 4, PCIE(off), v, n);
		p += n;
		off += n;
		len -= n;
	}
}

/* ---- progress ---- */

void host_run(struct host *h)
{
	while (board_run(h->b, 64))
		;
}

int host_run_until(struct host *h, bool (*done)(void *arg), void *arg, unsigned int timeout_ms)
{
	uint64_t end = now_ns() + timeout_ms * 1000000ull, next;

	while (!done(arg)) {
		if (now_ns() >= end)
			return -ETIMEDOUT;
		if (board_run(h->b, 64))
			continue;
		next = board_deadline(h->b);
		if (next == UINT64_MAX)
			return done(arg) ? 0 : -EAGAIN;
		sleep_until(next < end ? next : end);
	}
	return 0;
}

uint64_t host_stat(struct host *h, const char *name, unsigned int n)
{
	char path[] = "/tmp/board-stats-XXXXXX", key[64], text[16384] = "";
	const char *p = text;
	int fd = mkstemp(path);

	must(fd >= 0);
	must(!board_stats_json(h->b, path));
	must(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	unlink(path);
	snprintf(key, sizeof(key), "\"%s\": ", name);
	do {
		p = strstr(p, key);
		must(p);
		p += strlen(key);
	} while (n--);
	return strtoull(p, NULL, 10);
}
