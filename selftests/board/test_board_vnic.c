// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_board_vnic.c - transmission, interrupts and reconfiguration of the emulated card's vNICs.
 * The test does what the stock driver does.
 */
#include "mem_map.h"
#include "vnic_ring.h"

#define VNIC		1u
#define BAR		((uint64_t)BD_VNIC_ADDR + 0x8000 * VNIC)
#define TXQ(ring)	(1 + 128 * VNIC + 4 * (ring))
#define CFGQ		(2 + 128 * VNIC)
#define VECTOR		6u
#define LSC_VECTOR	4u
#define CTRL_UP		0x80210225u	/* enabled, with pointer write-back */
#define RING_SHIFT	8u
#define RING_SIZE	(1u << RING_SHIFT)

/* Offsets in host memory. */
#define RING_OFF	0x0u
#define WB_OFF		0x2000u
#define BUF_OFF		0x4000u

struct sink {
	unsigned int frames;
	bool full;
	uint32_t len;
	uint8_t data[65536];
};

static struct sink sink;

static void sink_push(void *ctx, const struct board_frame *f)
{
	struct sink *s = ctx;

	assert_int_equal(f->caplen, f->len);
	s->frames++;
	s->len = f->len;
	memcpy(s->data, f->data, f->len);
}

static bool sink_room(void *ctx)
{
	return !((struct sink *)ctx)->full;
}

static const struct board_wire_ops sink_ops = { .push = sink_push, .room = sink_room };

static uint32_t reconfig(struct host *h, uint32_t ctrl, uint32_t update)
{
	return vnic_reconfig(h, BAR, CFGQ, ctrl, update);
}

static void ring_setup(struct host *h, unsigned int ring)
{
	mu_write(h, BAR + 0x200 + 8 * ring, HOST_BASE + RING_OFF, 8);
	mu_write(h, BAR + 0x400 + 8 * ring, HOST_BASE + WB_OFF, 8);
	mu_write(h, BAR + 0x600 + ring, RING_SHIFT, 1);
	mu_write(h, BAR + 0x640 + ring, VECTOR, 1);
	mu_write(h, BAR + 0x08, 1u << ring, 8);
	mu_write(h, BAR + 0x20, LSC_VECTOR, 1);
}

static int setup(void **state)
{
	struct host *h = host_create_full(NULL, NULL);

	memset(&sink, 0, sizeof(sink));
	board_wire(h->b, VNIC, &sink_ops, &sink);
	ring_setup(h, 0);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0);
	host_arm(h, VECTOR, true);
	host_arm(h, LSC_VECTOR, true);
	*state = h;
	return 0;
}

/* Write one descriptor with the layout of nfd3/nfd3.h. */
static void desc(struct host *h, unsigned int slot, uint32_t off, uint16_t len,
		 bool eop, uint16_t data_len, uint8_t flags)
{
	uint8_t *d = h->mem + RING_OFF + 16 * slot;

	vnic_tx_desc(d, HOST_BASE + off, len, eop, data_len);
	d[11] = flags;
	d[12] = d[13] = 0xee;		/* old bytes; the driver leaves them, too */
}

static void ring_bell(struct host *h, unsigned int n)
{
	pcie_write(h, QC(TXQ(0), ADD_WPTR), n);
	host_run(h);
}

static uint64_t written_back(struct host *h)
{
	uint64_t v;

	memcpy(&v, h->mem + WB_OFF, 8);
	return v;
}

static void fill(struct host *h, uint32_t off, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		h->mem[off + i] = i * 7 + 2;
}

static uint64_t stat(struct host *h, uint32_t off)
{
	return mu_read(h, BAR + off, 8);
}

static void test_one_frame(void **state)
{
	struct host *h = *state;

	fill(h, BUF_OFF, 100);
	desc(h, 0, BUF_OFF, 100, true, 100, 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 1);
	assert_int_equal(sink.len, 100);
	assert_memory_equal(sink.data, h->mem + BUF_OFF, 100);
	assert_int_equal(written_back(h), 1);
	assert_int_equal(pcie_read(h, QC(TXQ(0), STS_LO)) & 0x3ffff, 1);
	assert_int_equal(h->irqs[VECTOR], 1);
	assert_int_equal(mu_read(h, BAR + 0xc00 + VECTOR, 1), 1);
	assert_int_equal(stat(h, 0xd78), 1);
	assert_int_equal(stat(h, 0xd58), 100);
	assert_int_equal(stat(h, 0x1000), 1);
	/* Port 1's MAC counts the frame with its FCS. Port 0's MAC counts nothing. */
	assert_int_equal(mu_read(h, BD_MACSTAT_ADDR + 0x200 + 0x140, 8), 104);
	assert_int_equal(mu_read(h, BD_MACSTAT_ADDR + 0x140, 8), 0);
}

/* The card fetches a frame's data before it writes the pointer that frees the descriptor. */
static void test_completion_order(void **state)
{
	struct host *h = *state;
	unsigned int i, data = 0, wb = 0, irq = 0;

	desc(h, 0, BUF_OFF, 60, true, 60, 0);
	h->logged = 0;
	ring_bell(h, 1);
	for (i = 0; i < h->logged; i++) {
		if (h->log[i].what == HOST_READ && h->log[i].addr == HOST_BASE + BUF_OFF)
			data = i + 1;
		if (h->log[i].what == HOST_WRITE && h->log[i].addr == HOST_BASE + WB_OFF)
			wb = i + 1;
		if (h->log[i].what == HOST_MSIX)
			irq = i + 1;
	}
	assert_true(data && wb && irq);
	assert_true(data < wb);
	assert_true(wb < irq);
}

static void test_gather_and_pad(void **state)
{
	struct host *h = *state;

	memset(sink.data, 0xff, 64);
	fill(h, BUF_OFF, 14);
	fill(h, BUF_OFF + 0x100, 20);
	fill(h, BUF_OFF + 0x200, 8);
	desc(h, 0, BUF_OFF, 14, false, 42, 0);
	desc(h, 1, BUF_OFF + 0x100, 20, false, 42, 0);
	desc(h, 2, BUF_OFF + 0x200, 8, true, 42, 0);
	ring_bell(h, 3);
	assert_int_equal(sink.frames, 1);
	assert_int_equal(sink.len, 60);
	assert_memory_equal(sink.data, h->mem + BUF_OFF, 14);
	assert_memory_equal(sink.data + 14, h->mem + BUF_OFF + 0x100, 20);
	assert_memory_equal(sink.data + 34, h->mem + BUF_OFF + 0x200, 8);
	assert_int_equal(sink.data[42] | sink.data[59], 0);
	assert_int_equal(written_back(h), 3);
}

static void test_ring_wraps(void **state)
{
	struct host *h = *state;
	unsigned int i, n = 0;

	fill(h, BUF_OFF, 64);
	for (i = 0; i < RING_SIZE; i++)
		desc(h, i, BUF_OFF, 64, true, 64, 0);
	while (n < 1000) {
		ring_bell(h, 100);
		n += 100;
		mu_write(h, BAR + 0xc00 + VECTOR, 0, 1);
		assert_int_equal(sink.frames, n);
		assert_int_equal(written_back(h), n);
	}
	/* Send a full ring by one doorbell. */
	ring_bell(h, RING_SIZE);
	assert_int_equal(sink.frames, n + RING_SIZE);
}

static void test_interrupt_mask(void **state)
{
	struct host *h = *state;

	desc(h, 0, BUF_OFF, 60, true, 60, 0);
	desc(h, 1, BUF_OFF, 60, true, 60, 0);
	ring_bell(h, 1);
	assert_int_equal(h->irqs[VECTOR], 1);
	ring_bell(h, 1);
	/* The vector is still masked, so the second packet causes no second interrupt. */
	assert_int_equal(h->irqs[VECTOR], 1);
	assert_int_equal(written_back(h), 2);
	/* When the driver unmasks the vector, the interrupt comes without a further packet. */
	mu_write(h, BAR + 0xc00 + VECTOR, 0, 1);
	assert_int_equal(h->irqs[VECTOR], 2);
	mu_write(h, BAR + 0xc00 + VECTOR, 0, 1);
	assert_int_equal(h->irqs[VECTOR], 2);
}

/* The host arms the vector after the first packet. The packet's interrupt is not lost. */
static void test_interrupt_before_armed(void **state)
{
	struct host *h = *state;

	host_arm(h, VECTOR, false);
	desc(h, 0, BUF_OFF, 60, true, 60, 0);
	ring_bell(h, 1);
	assert_int_equal(h->irqs[VECTOR], 0);
	host_arm(h, VECTOR, true);
	assert_int_equal(h->irqs[VECTOR], 1);
}

/* ---- checksums ---- */

static uint16_t ones_sum(const uint8_t *p, size_t len, uint32_t s)
{
	for (size_t i = 0; i < len; i++)
		s += i % 2 ? p[i] : p[i] << 8;
	while (s >> 16)
		s = (s & 0xffff) + (s >> 16);
	return s;
}

/* Sum up pseudo-header and segment as a receiver does. The sum of a correct segment is 0xffff. */
static uint16_t l4_check(const uint8_t *src, size_t addrs, uint8_t proto,
			 const uint8_t *l4, size_t len)
{
	return ones_sum(l4, len, ones_sum(src, addrs, proto + len));
}

static void send_frame(struct host *h, const uint8_t *f, size_t len, uint8_t flags)
{
	memcpy(h->mem + BUF_OFF, f, len);
	desc(h, pcie_read(h, QC(TXQ(0), STS_HI)) & (RING_SIZE - 1), BUF_OFF, len, true, len, flags);
	ring_bell(h, 1);
}

static void test_checksum_v4_tcp(void **state)
{
	uint8_t f[14 + 20 + 20 + 11] = { 0 };
	struct host *h = *state;

	f[12] = 0x08;
	f[14] = 0x45;
	f[17] = 20 + 20 + 11;
	f[22] = 64;
	f[23] = 6;
	memcpy(f + 26, "\x0a\x09\x00\x01\x0a\x09\x00\x02", 8);
	f[46] = 5 << 4;
	f[50] = 0xbe;		/* seed of the checksum, from the stack */
	f[51] = 0xef;
	memcpy(f + 54, "odd payload", 11);
	send_frame(h, f, sizeof(f), 0xe0);
	assert_int_equal(ones_sum(sink.data + 14, 20, 0), 0xffff);
	assert_int_equal(l4_check(sink.data + 26, 8, 6, sink.data + 34, 31), 0xffff);
	/* Without the flag in the descriptor the card changes no checksum. */
	send_frame(h, f, sizeof(f), 0);
	assert_memory_equal(sink.data, f, sizeof(f));
}

static void test_checksum_v6_udp_vlan(void **state)
{
	uint8_t f[14 + 4 + 40 + 8 + 8 + 10] = { 0 };
	uint8_t *ip = f + 18, *udp = ip + 48;
	struct host *h = *state;

	f[12] = 0x81;
	f[16] = 0x86;
	f[17] = 0xdd;
	ip[0] = 0x60;
	ip[5] = 8 + 8 + 10;
	ip[6] = 60;		/* destination options, then UDP */
	ip[40] = 17;
	memset(ip + 8, 0xfe, 32);
	udp[5] = 18;
	udp[6] = 0x55;
	memcpy(udp + 8, "ten bytes!", 10);
	send_frame(h, f, sizeof(f), 0x90);
	assert_int_equal(l4_check(sink.data + 18 + 8, 32, 17, sink.data + 66, 18), 0xffff);
	assert_int_not_equal(sink.data[72] << 8 | sink.data[73], 0);
}

/* Wrong lengths in headers do not make the card read or write beyond the frame. */
static void test_checksum_hostile(void **state)
{
	uint8_t f[64] = { 0 };
	struct host *h = *state;

	f[12] = 0x08;
	for (unsigned int i = 0; i < 256; i++) {
		f[14] = i;
		f[16] = i;
		f[23] = i & 1 ? 6 : 17;
		send_frame(h, f, 14 + i % 50 + 1, 0xf0);
	}
	f[12] = 0x86;
	f[13] = 0xdd;
	f[14] = 0x60;
	for (unsigned int i = 0; i < 256; i++) {
		f[19] = i;
		f[20] = i % 61;
		f[55] = i;
		send_frame(h, f, 64, 0xf0);
	}
	assert_int_equal(sink.frames, 512);
}

/* ---- what the driver must not do ---- */

static void test_bad_descriptors(void **state)
{
	struct host *h = *state;

	desc(h, 0, BUF_OFF, 60, true, 61, 0);		/* lengths differ */
	desc(h, 1, BUF_OFF, 0, true, 0, 0);		/* no bytes */
	desc(h, 2, BUF_OFF, 60, true, 60, 0x02);	/* tunnel offload was not offered */
	desc(h, 3, HOST_SIZE, 60, true, 60, 0);		/* address is not mapped */
	desc(h, 4, BUF_OFF, 65535, false, 65535, 0);	/* parts exceed data_len */
	desc(h, 5, BUF_OFF, 65535, true, 65535, 0);
	desc(h, 6, BUF_OFF, 60, true, 60, 0);
	h->mem[RING_OFF + 16 * 6 + 3] |= 8;		/* unknown type of metadata */
	desc(h, 7, BUF_OFF, 60, true, 60, 0);		/* correct */
	ring_bell(h, 8);
	assert_int_equal(sink.frames, 1);
	assert_int_equal(stat(h, 0xd50), 6);
	/* The card gives all descriptors back. */
	assert_int_equal(written_back(h), 8);
}

static void test_partial_packet(void **state)
{
	struct host *h = *state;
	unsigned int logged;

	desc(h, 0, BUF_OFF, 30, false, 60, 0);
	desc(h, 1, BUF_OFF, 30, true, 60, 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 0);
	assert_int_equal(written_back(h), 0);
	/* The card does not read the descriptor again until something changes. */
	logged = h->logged;
	host_run(h);
	assert_int_equal(h->logged, logged);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 1);
	assert_int_equal(written_back(h), 2);
}

static void test_endless_packet(void **state)
{
	struct host *h = *state;

	for (unsigned int i = 0; i < RING_SIZE; i++)
		desc(h, i, BUF_OFF, 1, false, 65535, 0);
	ring_bell(h, RING_SIZE);
	assert_int_equal(sink.frames, 0);
	/* The ring has stopped. It sends again after a reconfiguration. */
	desc(h, 0, BUF_OFF, 60, true, 60, 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 0);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 1);
}

static void test_overrun(void **state)
{
	struct host *h = *state;

	for (unsigned int i = 0; i < RING_SIZE; i++)
		desc(h, i, BUF_OFF, 60, true, 60, 0);
	ring_bell(h, RING_SIZE + 1);
	assert_int_equal(sink.frames, 0);
	assert_int_equal(written_back(h), 0);
}

/* ---- reconfiguration ---- */

static void test_rings_restart(void **state)
{
	struct host *h = *state;

	desc(h, 0, BUF_OFF, 60, true, 60, 0);
	ring_bell(h, 1);
	assert_int_equal(reconfig(h, CTRL_UP & ~1u, 0x23), 0);
	/* The vNIC is disabled: both pointers are 0, and a doorbell sends nothing. */
	assert_int_equal(pcie_read(h, QC(TXQ(0), STS_HI)) & 0x3ffff, 0);
	assert_int_equal(pcie_read(h, QC(TXQ(0), STS_LO)) & 0x3ffff, 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 1);
	/* The vNIC is enabled again. It sends from slot 0, and its interrupt is unmasked. */
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 2);
	assert_int_equal(written_back(h), 1);
	assert_int_equal(h->irqs[VECTOR], 2);
}

/*
 * A doorbell and the update that disables the ring may arrive together. The card first sends the
 * frames that the doorbell announced. If the wire takes no frame, the card counts them as unsent.
 */
static void test_rings_drain(void **state)
{
	struct host *h = *state;

	for (unsigned int i = 0; i < 100; i++)
		desc(h, i, BUF_OFF, 60, true, 60, 0);
	pcie_write(h, QC(TXQ(0), ADD_WPTR), 100);
	assert_int_equal(reconfig(h, CTRL_UP & ~1u, 0x23), 0);
	assert_int_equal(sink.frames, 100);
	assert_int_equal(written_back(h), 100);
	assert_int_equal(host_stat(h, "tx_unsent", VNIC), 0);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0);
	sink.full = true;
	pcie_write(h, QC(TXQ(0), ADD_WPTR), 7);
	h->logged = 0;
	assert_int_equal(reconfig(h, CTRL_UP & ~1u, 0x23), 0);
	host_run(h);
	assert_int_equal(h->logged, 0);
	assert_int_equal(sink.frames, 100);
	assert_int_equal(host_stat(h, "tx_unsent", VNIC), 7);
}

/* An update of other settings does not change the rings. */
static void test_general_update(void **state)
{
	struct host *h = *state;

	desc(h, 0, BUF_OFF, 60, true, 60, 0);
	desc(h, 1, BUF_OFF, 60, true, 60, 0);
	ring_bell(h, 1);
	assert_int_equal(reconfig(h, CTRL_UP | 2, 1), 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 2);
	assert_int_equal(written_back(h), 2);
}

static void test_refused(void **state)
{
	struct host *h = *state;

	/* The card refuses to enable tunnel offload, which it does not offer. */
	assert_int_equal(reconfig(h, CTRL_UP | 1u << 24, 0x127), 0x80000127);
	desc(h, 0, BUF_OFF, 60, true, 60, 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 0);
	/* The card refuses wrong ring sizes and addresses. */
	mu_write(h, BAR + 0x600, 7, 1);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0x80000127);
	mu_write(h, BAR + 0x600, 19, 1);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0x80000127);
	mu_write(h, BAR + 0x600, RING_SHIFT, 1);
	mu_write(h, BAR + 0x200, HOST_BASE + 8, 8);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0x80000127);
	/* The card refuses to enable a ring that does not exist. */
	mu_write(h, BAR + 0x200, HOST_BASE, 8);
	mu_write(h, BAR + 0x08, 1u << 8 | 1, 8);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0x80000127);
	mu_write(h, BAR + 0x08, 1, 8);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0);
}

/* Set port 1 up or down by the service processor's port table. */
static void set_link(struct host *h, bool up)
{
	uint64_t sp = 0x8100010000ull, buf = 0x8100020000ull;

	mu_write(h, sp + 0x10, 0x070020ull << 40 | buf, 8);
	mu_write(h, sp + 0x08, 1536ull << 32 | 7 << 16 | 1, 8);
	mu_write(h, buf + 32 * VNIC + 24, up ? 0xf : 0xe, 8);
	mu_write(h, sp + 0x08, 1536ull << 32 | 8 << 16 | 1, 8);
}

static void test_link_change(void **state)
{
	struct host *h = *state;

	set_link(h, false);
	assert_int_equal(mu_read(h, BAR + 0x34, 2), 0);
	assert_int_equal(h->irqs[LSC_VECTOR], 1);
	assert_int_equal(mu_read(h, BAR + 0xc00 + LSC_VECTOR, 1), 2);
	/* Without a link the card sends no frame, but gives the descriptor back. */
	desc(h, 0, BUF_OFF, 60, true, 60, 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 0);
	assert_int_equal(written_back(h), 1);
	assert_int_equal(host_stat(h, "tx_no_link", VNIC), 1);
	mu_write(h, BAR + 0xc00 + LSC_VECTOR, 0, 1);
	set_link(h, true);
	assert_int_equal(h->irqs[LSC_VECTOR], 2);
	assert_int_equal(mu_read(h, BAR + 0x34, 2), 9);
	/*
	 * A change of the link causes no interrupt if the vNIC is disabled, or has no vector for
	 * it.
	 */
	assert_int_equal(reconfig(h, CTRL_UP & ~1u, 0x23), 0);
	mu_write(h, BAR + 0xc00 + LSC_VECTOR, 0, 1);
	set_link(h, false);
	assert_int_equal(h->irqs[LSC_VECTOR], 2);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0);
	mu_write(h, BAR + 0x20, 0xff, 1);
	set_link(h, true);
	assert_int_equal(h->irqs[LSC_VECTOR], 2);
}

/* After a function level reset no doorbell sends a frame. */
static void test_flr(void **state)
{
	struct host *h = *state;

	desc(h, 0, BUF_OFF, 60, true, 60, 0);
	board_reset(h->b, BOARD_RESET_FLR);
	cfg_write(h, 4, 0x6, 2);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 0);
	assert_int_equal(reconfig(h, CTRL_UP, 0x127), 0);
	ring_bell(h, 1);
	assert_int_equal(sink.frames, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_frame, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_completion_order, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_gather_and_pad, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_ring_wraps, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_interrupt_mask, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_interrupt_before_armed, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_checksum_v4_tcp, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_checksum_v6_udp_vlan, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_checksum_hostile, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_bad_descriptors, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_partial_packet, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_endless_packet, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_overrun, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_rings_restart, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_rings_drain, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_general_update, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_link_change, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_flr, setup, host_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
