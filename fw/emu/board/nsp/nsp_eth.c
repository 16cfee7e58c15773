// SPDX-License-Identifier: BSD-2-Clause
/*
 * nsp_eth.c - Ethernet ports: the port table of the service processor (nfpcore/nfp_nsp_eth.c),
 * and the identification memory of the modules.
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
#define PORT_FEC_BASER		(1ULL << 60)
#define PORT_FEC_RS		(1ULL << 61)

#define STATE_RATE_SHIFT	8	/* 4 bits */
#define STATE_SFP28		(28ULL << 12)
#define STATE_FIBRE		(2ULL << 20)
#define STATE_ANEG_OFF		(4ULL << 23)
#define STATE_FEC_SHIFT		26	/* 2 bits */
#define STATE_ACT_FEC_SHIFT	28
#define STATE_PAUSE_SHIFT	31

#define CTRL_STATES		0xfULL	/* configured, enabled, TX, RX */
#define CTRL_RATE		(1ULL << 4)
#define CTRL_FEC		(1ULL << 7)
#define CTRL_IDMODE		(1ULL << 8)
#define CTRL_TX_PAUSE		(1ULL << 10)
#define CTRL_RX_PAUSE		(1ULL << 11)

/* the driver prints this code as "not an allowed rate/lanes for port" */
#define ERR_RATE_LANES		6011

void bd_nsp_eth_reset(struct board *b)
{
	unsigned int i;

	for (i = 0; i < BOARD_PORTS; i++)
		b->nsp->port[i] = (struct bd_nsp_port){
			.state = CTRL_STATES, .pause = 3,
			.rate = BD_ETH_25G, .fec = BD_FEC_AUTO,
		};
}

/* Return the FEC in use. By default 25GBASE-SR uses RS-FEC. 10GBASE-SR has no FEC. */
static enum bd_eth_fec fec_active(const struct bd_nsp_port *p)
{
	if (p->rate != BD_ETH_25G)
		return BD_FEC_OFF;
	return p->fec == BD_FEC_AUTO ? BD_FEC_RS : p->fec;
}

unsigned int bd_nsp_signal(const struct board *b, unsigned int port)
{
	const struct bd_nsp_port *p = &b->nsp->port[port];

	return (p->state & 3) == 3 ? p->rate << 4 | fec_active(p) : 0;
}

static void put_port(struct board *b, unsigned int i, uint8_t *e)
{
	const struct bd_nsp_port *p = &b->nsp->port[i];
	uint64_t fecs = p->rate == BD_ETH_25G ? PORT_FEC_BASER | PORT_FEC_RS : 0;
	uint8_t mac[6];
	unsigned int j;

	bd_put64(e + ENTRY_PORT, PORT_LANES(1) | PORT_INDEX(i) | PORT_PHYLABEL(i) | fecs);
	bd_put64(e + ENTRY_STATE, p->state | (uint64_t)p->rate << STATE_RATE_SHIFT | STATE_SFP28 |
		 STATE_FIBRE | STATE_ANEG_OFF | (uint64_t)p->fec << STATE_FEC_SHIFT |
		 (uint64_t)fec_active(p) << STATE_ACT_FEC_SHIFT |
		 (uint64_t)p->pause << STATE_PAUSE_SHIFT);
	bd_port_mac(b, i, mac);
	for (j = 0; j < 6; j++)
		e[ENTRY_MAC + j] = mac[5 - j];
	/*
	 * To change one entry the driver writes the whole table back, and the board applies all
	 * of it. The control word must therefore hold the port's present state.
	 */
	bd_put64(e + ENTRY_CONTROL, p->state);
}

unsigned int bd_nsp_eth_rescan(struct board *b, uint8_t *buf)
{
	unsigned int i;

	memset(buf, 0, BD_ETH_TABLE_SIZE);
	for (i = 0; i < BOARD_PORTS; i++)
		put_port(b, i, buf + ENTRY_SIZE * i);
	return BOARD_PORTS;
}

void bd_nsp_ports(struct board *b, void (*fn)(struct board *b, unsigned int port))
{
	b->nsp->changed = fn;
}

/*
 * Say whether a port can be set so. The number of lanes is fixed, fibre has no autonegotiation,
 * and the rate must be one of the two.
 */
static bool allowed(uint64_t state, uint64_t ctrl)
{
	unsigned int rate = state >> STATE_RATE_SHIFT & 0xf;

	if (ctrl & ~(CTRL_STATES | CTRL_RATE | CTRL_FEC | CTRL_IDMODE | CTRL_TX_PAUSE |
		     CTRL_RX_PAUSE))
		return false;
	return !(ctrl & CTRL_RATE) || rate == BD_ETH_10G || rate == BD_ETH_25G;
}

static void set_port(struct bd_nsp_port *p, uint64_t state, uint64_t ctrl)
{
	uint8_t which = (ctrl & CTRL_TX_PAUSE ? 1 : 0) | (ctrl & CTRL_RX_PAUSE ? 2 : 0);
	uint8_t want = state >> STATE_PAUSE_SHIFT & 3;

	p->state = ctrl & CTRL_STATES;
	p->pause = (p->pause & ~which) | (want & which);
	if (ctrl & CTRL_RATE)
		p->rate = state >> STATE_RATE_SHIFT & 0xf;
	if (ctrl & CTRL_FEC)
		p->fec = state >> STATE_FEC_SHIFT & 3;
}

/* Apply the table that the host has written. If one entry is not allowed, nothing is applied. */
void bd_nsp_eth_control(struct board *b, const uint8_t *buf, uint32_t *ret, uint8_t *result)
{
	uint64_t state[BOARD_PORTS], ctrl[BOARD_PORTS];
	unsigned int i;

	for (i = 0; i < BOARD_PORTS; i++) {
		state[i] = bd_get64(buf + ENTRY_SIZE * i + ENTRY_STATE);
		ctrl[i] = bd_get64(buf + ENTRY_SIZE * i + ENTRY_CONTROL);
		if (!allowed(state[i], ctrl[i])) {
			*ret = ERR_RATE_LANES;
			*result = EINVAL;
			return;
		}
	}
	for (i = 0; i < BOARD_PORTS; i++) {
		set_port(&b->nsp->port[i], state[i], ctrl[i]);
		if (b->nsp->changed)
			b->nsp->changed(b, i);
	}
}

/* ---- SFF-8472 memory of the module in a cage ---- */

/*
 * A module for 10GBASE-SR and 25GBASE-SR, as SFF-8472 describes it. The module has no
 * diagnostics, because there is no laser to measure. The memory has two pages of 256 bytes: A0h
 * and A2h.
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
	a0[0] = 0x03;		/* identifier: SFP */
	a0[1] = 0x04;		/* extended identifier: two-wire interface */
	a0[2] = 0x07;		/* connector: LC */
	a0[3] = 0x10;		/* compliance: 10GBASE-SR */
	a0[11] = 0x06;		/* encoding: 64B/66B */
	a0[12] = 0xff;		/* nominal rate: see byte 66 */
	a0[18] = 10;		/* reach on OM4 fibre, in units of 10 m */
	a0[19] = 7;		/* reach on OM3 fibre, in units of 10 m */
	text(a0 + 20, 16, "nfp-chan");
	a0[36] = 0x02;		/* extended compliance: 25GBASE-SR */
	text(a0 + 40, 16, "emulated SFP28");
	text(a0 + 56, 4, "1");
	a0[60] = 850 >> 8;
	a0[61] = 850 & 0xff;
	a0[63] = sum(a0, 63);
	a0[66] = 103;		/* 25.75 Gb/s, in units of 250 Mb/s */
	text(a0 + 68, 16, port ? "EMULATED1" : "EMULATED0");
	text(a0 + 84, 8, "260101");
	a0[94] = 0x08;		/* compliance: SFF-8472 revision 12.3 */
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
