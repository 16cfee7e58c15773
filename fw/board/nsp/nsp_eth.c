// SPDX-License-Identifier: BSD-2-Clause
/*
 * nsp_eth.c - what the service processor says of Ethernet ports: the port
 * table (nfpcore/nfp_nsp_eth.c) and the modules' identification memory.
 */
#include <errno.h>

#include "bytes.h"
#include "nffw.h"
#include "nsp.h"

#define ENTRIES			48
#define ENTRY_SIZE		32
#define ENTRY_PORT		0
#define ENTRY_STATE		8
#define ENTRY_MAC		16
#define ENTRY_CONTROL		24

#define PORT_LANES(n)		((uint64_t)(n))
#define PORT_INDEX(n)		((uint64_t)(n) << 8)
#define PORT_PHYLABEL(n)	((uint64_t)(n) << 54)

#define STATE_RATE_25G		(5ULL << 8)
#define STATE_SFP28		(28ULL << 12)
#define STATE_FIBRE		(2ULL << 20)
#define STATE_PAUSE_SHIFT	31

#define CTRL_STATES		0xfULL	/* configured, enabled, TX, RX */
#define CTRL_IDMODE		(1ULL << 8)
#define CTRL_TX_PAUSE		(1ULL << 10)
#define CTRL_RX_PAUSE		(1ULL << 11)

/* "not an allowed rate/lanes for port" in the driver's words */
#define ERR_RATE_LANES		6011

static bool port_up(const struct board *b, unsigned int port)
{
	return (b->nsp->port_state[port] & 3) == 3;
}

unsigned int bd_nsp_eth_rescan(struct board *b, uint8_t *buf)
{
	unsigned int i, j;

	memset(buf, 0, BD_ETH_TABLE_SIZE);
	for (i = 0; i < BOARD_PORTS; i++) {
		uint8_t *e = buf + ENTRY_SIZE * i, mac[6];

		bd_put64(e + ENTRY_PORT, PORT_LANES(1) | PORT_INDEX(i) | PORT_PHYLABEL(i));
		bd_put64(e + ENTRY_STATE, b->nsp->port_state[i] | STATE_RATE_25G | STATE_SFP28 |
			 STATE_FIBRE | (uint64_t)b->nsp->port_pause[i] << STATE_PAUSE_SHIFT);
		bd_port_mac(b, i, mac);
		for (j = 0; j < 6; j++)
			e[ENTRY_MAC + j] = mac[5 - j];
		/*
		 * The driver writes the whole table back with one bit of one
		 * entry changed: the others must say what is.
		 */
		bd_put64(e + ENTRY_CONTROL, b->nsp->port_state[i]);
	}
	return BOARD_PORTS;
}

static void set_pause(struct board *b, unsigned int port, uint64_t state, uint64_t ctrl)
{
	uint8_t which = (ctrl & CTRL_TX_PAUSE ? 1 : 0) | (ctrl & CTRL_RX_PAUSE ? 2 : 0);
	uint8_t want = state >> STATE_PAUSE_SHIFT & 3;

	b->nsp->port_pause[port] = (b->nsp->port_pause[port] & ~which) | (want & which);
}

void bd_nsp_ports(struct board *b, void (*fn)(struct board *b, unsigned int port, bool up))
{
	b->nsp->port = fn;
}

void bd_nsp_eth_control(struct board *b, const uint8_t *buf, uint32_t *ret, uint8_t *result)
{
	unsigned int i;

	for (i = 0; i < BOARD_PORTS; i++) {
		const uint8_t *e = buf + ENTRY_SIZE * i;
		uint64_t ctrl = bd_get64(e + ENTRY_CONTROL);

		/* Rate, lanes, autonegotiation and FEC are fixed. */
		if (ctrl & ~(CTRL_STATES | CTRL_IDMODE | CTRL_TX_PAUSE | CTRL_RX_PAUSE)) {
			*ret = ERR_RATE_LANES;
			*result = EINVAL;
			return;
		}
		b->nsp->port_state[i] = ctrl & CTRL_STATES;
		set_pause(b, i, bd_get64(e + ENTRY_STATE), ctrl);
		if (b->nsp->port)
			b->nsp->port(b, i, port_up(b, i));
	}
}

/* ---- SFF-8472 memory of the module in a cage ---- */

/*
 * A 25GBASE-SR module as SFF-8472 describes it, without diagnostics: it has
 * no laser to measure. Two pages of 256 bytes: A0h, A2h.
 */
#define SFP_PAGE	256u

static void text(uint8_t *at, size_t size, const char *s)
{
	memset(at, ' ', size);
	memcpy(at, s, strlen(s));
}

static uint8_t sum(const uint8_t *p, size_t n)
{
	uint8_t s = 0;

	while (n--)
		s += *p++;
	return s;
}

static void sfp_fill(unsigned int port, uint8_t a0[SFP_PAGE])
{
	memset(a0, 0, SFP_PAGE);
	a0[0] = 0x03;		/* SFP */
	a0[1] = 0x04;		/* two-wire interface */
	a0[2] = 0x07;		/* LC */
	a0[11] = 0x06;		/* 64B/66B */
	a0[12] = 0xff;		/* rate in byte 66 */
	a0[16] = 10;		/* OM2, 10 m */
	a0[19] = 7;		/* OM3, 7 * 10 m */
	text(a0 + 20, 16, "nfp-chan");
	a0[36] = 0x02;		/* 25GBASE-SR */
	text(a0 + 40, 16, "emulated SFP28");
	text(a0 + 56, 4, "1");
	a0[60] = 850 >> 8;
	a0[61] = 850 & 0xff;
	a0[63] = sum(a0, 63);
	a0[66] = 103;		/* 25.75 Gb/s in 250 Mb/s */
	text(a0 + 68, 16, port ? "EMULATED1" : "EMULATED0");
	text(a0 + 84, 8, "260101");
	a0[94] = 0x08;		/* SFF-8472 rev 12.3 */
	a0[95] = sum(a0 + 64, 31);
}

void bd_sfp_read(unsigned int port, unsigned int off, void *buf, size_t len)
{
	uint8_t mem[2 * SFP_PAGE] = { 0 };
	size_t n = 0;

	sfp_fill(port, mem);
	if (off < sizeof(mem))
		n = len < sizeof(mem) - off ? len : sizeof(mem) - off;
	memcpy(buf, mem + (n ? off : 0), n);
	memset((uint8_t *)buf + n, 0, len - n);
}
