// SPDX-License-Identifier: BSD-2-Clause
/*
 * nsp.c - the service processor (NSP): its registers and commands (nfpcore/nfp_nsp.c,
 * nfp_nsp_cmds.c). The registers are words in the memory of the ARM island. The board runs a
 * command as soon as the host writes COMMAND with the start bit.
 */
#include <errno.h>
#include <stdio.h>
#include <syslog.h>

#include "bytes.h"
#include "cpp.h"
#include "mem_map.h"
#include "mu.h"
#include "nffw.h"
#include "nsp.h"

#define NSP_STATUS		0x00
#define NSP_COMMAND		0x08
#define NSP_BUFFER		0x10
#define NSP_DFLT_BUFFER		0x18
#define NSP_DFLT_CONFIG		0x20
#define NSP_CAP_DMA_SG		0x28	/* commands that take a list of pieces: bit code - 1 */

#define STATUS_MAGIC		0xab10ULL
/* Minor version 37 adds pause parameters per port, the newest feature that the driver knows. */
#define STATUS_MINOR		37ULL
#define COMMAND_START		1ULL
#define COMMAND_DMA		2ULL

/*
 * Bits 63:40 of a buffer register: the CPP ID of a read or write of the MU, without its low byte.
 */
#define CPP_MU_RW		((uint64_t)BD_CPP_MU << 16 | BD_ACT_RW)

#define FW_STORED_FROM_FLASH	0x100	/* major 1: "Firmware from flash loaded" */
#define WHY_NO_PARTITION	1	/* "no named partition on flash" */

#define DMA_ORDER		16ULL	/* a piece of a file lies within 64 KiB */

#ifndef NFPCHAN_VERSION
#define NFPCHAN_VERSION		"unknown"
#endif

enum {
	CMD_NOOP = 0,
	CMD_SOFT_RESET = 1,
	CMD_MAC_INIT = 4,
	CMD_FW_LOAD = 6,
	CMD_ETH_RESCAN = 7,
	CMD_ETH_CONTROL = 8,
	CMD_SENSORS = 12,
	CMD_IDENTIFY = 13,
	CMD_FW_STORED = 16,
	CMD_HWINFO_LOOKUP = 17,
	CMD_HWINFO_SET = 18,
	CMD_FW_LOADED = 19,
	CMD_VERSIONS = 21,
	CMD_READ_SFF_EEPROM = 22,
	CMD_READ_MEDIA = 23,
};

/*
 * struct request - a command that is being run
 * @buf: the command's buffer in the card's memory; NULL if @room is 0
 * @room: bytes from @buf to the end of the buffer memory
 * @dma: the buffer is in the host's memory, at @list
 * @option: the command's argument
 * @ret: return value, for the upper half of COMMAND
 *
 * The function of a command returns the result for STATUS: 0 or a positive errno of Linux.
 */
struct request {
	uint8_t *buf;
	uint32_t room;
	bool dma;
	uint64_t list;
	uint32_t option;
	uint32_t ret;
};

static uint8_t cmd_none(struct board *b, struct request *r)
{
	(void)b;
	(void)r;
	return 0;
}

static uint8_t cmd_soft_reset(struct board *b, struct request *r)
{
	(void)r;
	board_log(LOG_INFO, "NSP: soft reset of the microengines");
	b->asked |= bd_firmware_unload(b) ? BD_ASK_CHANGE : BD_ASK_FIRMWARE;
	return 0;
}

static uint8_t cmd_fw_load(struct board *b, struct request *r)
{
	const struct bd_nsp_file f = {
		.len = r->option, .dma = r->dma, .list = r->list, .buf = r->buf, .room = r->room,
	};

	return bd_nsp_fw_load(b, &f, &r->ret);
}

static uint8_t cmd_eth_rescan(struct board *b, struct request *r)
{
	if (r->room < BD_ETH_TABLE_SIZE)
		return EINVAL;
	r->ret = bd_nsp_eth_rescan(b, r->buf);
	return 0;
}

static uint8_t cmd_eth_control(struct board *b, struct request *r)
{
	uint8_t result = 0;

	if (r->room < BD_ETH_TABLE_SIZE || r->option < BD_ETH_TABLE_SIZE)
		return EINVAL;
	bd_nsp_eth_control(b, r->buf, &r->ret, &result);
	return result;
}

static uint8_t cmd_sensors(struct board *b, struct request *r)
{
	/* Order: temperature of the chip; power of the whole card, at 12 V, and at 3.3 V. */
	if (r->room < 16)
		return EINVAL;
	bd_put32(r->buf, b->ident.temp_mc);
	bd_put32(r->buf + 4, b->ident.power_uw);
	bd_put32(r->buf + 8, b->ident.power_uw / 10 * 9);
	bd_put32(r->buf + 12, b->ident.power_uw / 10);
	return 0;
}

static uint8_t cmd_identify(struct board *b, struct request *r)
{
	(void)b;
	if (r->room < 64)
		return EINVAL;
	memset(r->buf, 0, 64);
	snprintf((char *)r->buf, 40, "nfpboard %s", NFPCHAN_VERSION);
	bd_put64(r->buf + 56, 0xf);	/* mask of sensors: the four of cmd_sensors() */
	return 0;
}

static uint8_t cmd_fw_stored(struct board *b, struct request *r)
{
	if (!bd_firmware_loaded(b)) {
		r->ret = BD_FW_FAILED(WHY_NO_PARTITION);
		return ENOENT;
	}
	r->ret = b->nffw->host ? 0 : FW_STORED_FROM_FLASH;
	return 0;
}

static uint8_t cmd_fw_loaded(struct board *b, struct request *r)
{
	r->ret = bd_firmware_loaded(b);
	return 0;
}

/* Copy the command's argument to the string @s. False: the argument has no NUL. */
static bool argument(const struct request *r, char *s, size_t size)
{
	size_t n = r->option < r->room ? r->option : r->room;

	if (n > size)
		n = size;
	if (!n)
		return false;
	memcpy(s, r->buf, n);
	return memchr(s, 0, n);
}

static uint8_t cmd_hwinfo_lookup(struct board *b, struct request *r)
{
	char key[64];
	const char *value;

	if (!argument(r, key, sizeof(key)))
		return EINVAL;
	value = bd_hwinfo_find(b, key);
	if (!value)
		return ENOENT;
	if (strlen(value) >= r->option || r->option > r->room)
		return EINVAL;
	memcpy(r->buf, value, strlen(value) + 1);
	return 0;
}

static uint8_t cmd_hwinfo_set(struct board *b, struct request *r)
{
	char (*o)[64] = b->nsp->override;
	char set[64];
	const char *eq;
	unsigned int i;

	if (!argument(r, set, sizeof(set)))
		return EINVAL;
	eq = strchr(set, '=');
	if (!eq || eq == set)
		return EINVAL;
	for (i = 0; i < BD_OVERRIDES; i++)
		if (!o[i][0] || !strncmp(o[i], set, eq - set + 1))
			break;
	if (i == BD_OVERRIDES)
		return ENOSPC;
	memcpy(o[i], set, sizeof(set));
	return 0;
}

/*
 * Write a table of offsets, and the strings after it. The table has two offsets for each of seven
 * components: for the running version and for the stored version.
 */
static uint8_t cmd_versions(struct board *b, struct request *r)
{
	const char *app = bd_firmware_loaded(b) ? bd_firmware(b)->mip.name : NULL;
	const char * const names[7] = {
		"nfpboard-" NFPCHAN_VERSION,	/* BSP */
		NULL,				/* CPLD */
		app, app,			/* application, its bundle */
	};
	size_t at = 2 + 2 * 14;
	unsigned int i;

	if (r->room < 256 || r->option < 256)
		return EINVAL;
	memset(r->buf, 0, 256);
	bd_put16(r->buf, 14);
	for (i = 0; i < 7; i++) {
		if (!names[i])
			continue;
		bd_put16(r->buf + 2 + 4 * i, at);
		if (!b->nffw->host || names[i] != app)
			bd_put16(r->buf + 4 + 4 * i, at);
		memcpy(r->buf + at, names[i], strlen(names[i]));
		at += strlen(names[i]) + 1;
	}
	return 0;
}

/*
 * Read a module's memory. The buffer has struct eeprom_buf of the driver: length of the metadata
 * in units of 8 bytes, length and offset to read, length that was read, port, data.
 */
static uint8_t cmd_read_sff(struct board *b, struct request *r)
{
	uint16_t len, off;

	(void)b;
	if (r->room < 8 || r->option < 8)
		return EINVAL;
	len = bd_get16(r->buf + 1);
	off = bd_get16(r->buf + 3);
	if (r->buf[7] >= BOARD_PORTS)
		return ENODEV;
	if (len > r->room - 8)
		return EINVAL;
	bd_sfp_read(r->buf[7], off, r->buf + 8, len);
	bd_put16(r->buf + 5, len);
	return 0;
}

static uint8_t cmd_read_media(struct board *b, struct request *r)
{
	/* The bit numbers are those of enum nfp_ethtool_link_mode_list. */
	const uint64_t sr_10g = 1ULL << 14, sr_25g = 1ULL << 20;

	if (r->room < 40)
		return EINVAL;
	if (r->buf[0] >= BOARD_PORTS)
		return ENODEV;
	memset(r->buf + 8, 0, 32);
	bd_put64(r->buf + 8, sr_10g | sr_25g);
	bd_put64(r->buf + 24, b->nsp->port[r->buf[0]].rate == BD_ETH_25G ? sr_25g : sr_10g);
	return 0;
}

/*
 * Commands that are not listed are refused. Among them are those that load or flash firmware
 * images, because the board could not run such an image.
 */
static uint8_t (* const commands[])(struct board *b, struct request *r) = {
	[CMD_NOOP] = cmd_none,
	[CMD_SOFT_RESET] = cmd_soft_reset,
	[CMD_MAC_INIT] = cmd_none,
	[CMD_FW_LOAD] = cmd_fw_load,
	[CMD_ETH_RESCAN] = cmd_eth_rescan,
	[CMD_ETH_CONTROL] = cmd_eth_control,
	[CMD_SENSORS] = cmd_sensors,
	[CMD_IDENTIFY] = cmd_identify,
	[CMD_FW_STORED] = cmd_fw_stored,
	[CMD_HWINFO_LOOKUP] = cmd_hwinfo_lookup,
	[CMD_HWINFO_SET] = cmd_hwinfo_set,
	[CMD_FW_LOADED] = cmd_fw_loaded,
	[CMD_VERSIONS] = cmd_versions,
	[CMD_READ_SFF_EEPROM] = cmd_read_sff,
	[CMD_READ_MEDIA] = cmd_read_media,
};

static uint8_t execute(struct board *b, const uint8_t *regs, uint64_t command, uint32_t *ret)
{
	uint64_t buffer = bd_get64(regs + NSP_BUFFER), addr = buffer & ((1ULL << 40) - 1);
	unsigned int code = command >> 16 & 0xffff;
	struct request r = { .option = command >> 32, .dma = command & COMMAND_DMA, .list = buffer };
	uint8_t result;

	if (code >= ARRAY_SIZE(commands) || !commands[code])
		return EOPNOTSUPP;
	/* The other commands fit into the default buffer. NSP_CAP_DMA_SG tells the host. */
	if (r.dma && code != CMD_FW_LOAD)
		return EOPNOTSUPP;
	/*
	 * Accept only an address in the default buffer: the host could give the address of the
	 * NSP's registers. With another address, the command gets no buffer.
	 */
	if (!r.dma && buffer >> 40 == CPP_MU_RW && addr >= BD_NSP_BUF_ADDR &&
	    addr < BD_NSP_BUF_ADDR + BD_NSP_BUF_SIZE) {
		r.room = BD_NSP_BUF_ADDR + BD_NSP_BUF_SIZE - addr;
		r.buf = board_mem_ptr(b, addr, r.room);
	}
	result = commands[code](b, &r);
	*ret = r.ret;
	return result;
}

static void set_status(uint8_t *regs, uint8_t result)
{
	bd_put64(regs + NSP_STATUS, STATUS_MAGIC << 48 | STATUS_MINOR << 32 |
		 (uint64_t)result << 8);
}

void bd_nsp_reset(struct board *b)
{
	uint8_t *regs = board_mem_ptr(b, BD_NSP_ADDR, BD_NSP_SIZE);

	memset(b->nsp->override, 0, sizeof(b->nsp->override));
	bd_nsp_eth_reset(b);
	set_status(regs, 0);
	bd_put64(regs + NSP_DFLT_BUFFER, CPP_MU_RW << 40 | BD_NSP_BUF_ADDR);
	bd_put64(regs + NSP_DFLT_CONFIG, DMA_ORDER << 58 | (uint64_t)(BD_NSP_BUF_SIZE / 4096) << 8);
	bd_put64(regs + NSP_CAP_DMA_SG, 1ULL << (CMD_FW_LOAD - 1));
}

static void written(struct board *b, uint64_t addr, size_t len)
{
	uint8_t *regs = board_mem_ptr(b, BD_NSP_ADDR, BD_NSP_SIZE);
	const uint64_t at = BD_NSP_ADDR + NSP_COMMAND;
	uint32_t ret = 0;
	uint64_t command;
	uint8_t result;

	if (addr > at || addr + len <= at)
		return;
	command = bd_get64(regs + NSP_COMMAND);
	if (!(command & COMMAND_START))
		return;
	b->nsp->commands++;
	result = execute(b, regs, command, &ret);
	bd_put64(regs + NSP_COMMAND, (command & 0xffffffff & ~COMMAND_START) | (uint64_t)ret << 32);
	set_status(regs, result);
}

int bd_nsp_init(struct board *b)
{
	static const struct bd_watch regs = { BD_NSP_ADDR, BD_NSP_SIZE, written };

	bd_mu_watch(b, &regs);
	return 0;
}
