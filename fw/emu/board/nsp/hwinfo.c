// SPDX-License-Identifier: BSD-2-Clause
/*
 * hwinfo.c - the hardware information table (nfpcore/nfp_hwinfo.c), and the look-up of its keys
 * for the NSP's commands.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"
#include "mem_map.h"
#include "nffw.h"
#include "nsp.h"

#define HWINFO_VERSION_2	0x48490200
#define HWINFO_HEADER		16

#ifndef NFPCHAN_VERSION
#define NFPCHAN_VERSION		"unknown"
#endif

/* CRC-32 with polynomial 0x04c11db7, most significant bit first. */
uint32_t bd_crc32(uint32_t crc, const void *buf, size_t len)
{
	const uint8_t *p = buf;
	int bit;

	while (len--) {
		crc ^= (uint32_t)*p++ << 24;
		for (bit = 0; bit < 8; bit++)
			crc = crc << 1 ^ (crc & 0x80000000 ? 0x04c11db7 : 0);
	}
	return crc;
}

/* The checksum of POSIX cksum: the CRC of the data and then of its length. */
uint32_t bd_crc32_posix(const void *buf, size_t len)
{
	uint32_t crc = bd_crc32(0, buf, len);
	uint8_t byte;

	for (; len; len >>= 8) {
		byte = len;
		crc = bd_crc32(crc, &byte, 1);
	}
	return ~crc;
}

void bd_port_mac(const struct board *b, unsigned int port, uint8_t mac[6])
{
	memcpy(mac, b->ident.mac, 6);
	mac[5] += port;
}

struct pair {
	const char *key;
	const char *value;
};

static const struct pair fixed[] = {
	{ "assembly.vendor", "NET" },
	{ "assembly.partno", "AMDA0099-0001" },
	{ "assembly.revision", "01" },
	{ "assembly.model", "emulated" },
	{ "pn", "AMDA0099-0001" },
	{ "cpld.version", "0x1010000" },
	{ "board.state", "15" },
	{ "board.emulator", "nfpboard " NFPCHAN_VERSION },
	{ "me.count", "60" },
};

/*
 * Of a card with firmware in its flash. abi_drv_reset=2: the driver never resets the card's firmware.
 * app_fw_from_flash=1: the driver uses the firmware in the flash. Without these keys the driver looks
 * for a file, resets the card, and loads the file (nfp_main.c, nfp_fw_load()).
 */
static const struct pair flash[] = {
	{ "abi_drv_reset", "2" },
	{ "app_fw_from_flash", "1" },
};

static size_t add(uint8_t *at, size_t room, const char *key, const char *value)
{
	size_t k = strlen(key) + 1, v = strlen(value) + 1;

	if (k + v > room)
		return 0;
	memcpy(at, key, k);
	memcpy(at + k, value, v);
	return k + v;
}

void bd_hwinfo_build(struct board *b)
{
	uint8_t *t = board_mem_ptr(b, BD_HWINFO_ADDR, BD_HWINFO_SIZE);
	size_t n = HWINFO_HEADER, end = BD_HWINFO_SIZE - 8;
	const uint8_t *s = b->ident.serial;
	char key[24], value[24];
	unsigned int i;

	memset(t, 0, BD_HWINFO_SIZE);
	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		n += add(t + n, end - n, fixed[i].key, fixed[i].value);
	for (i = 0; i < ARRAY_SIZE(flash) && !b->nffw->host; i++)
		n += add(t + n, end - n, flash[i].key, flash[i].value);
	snprintf(value, sizeof(value), "%02x%02x%02x%02x", s[2], s[3], s[4], s[5]);
	n += add(t + n, end - n, "assembly.serial", value);
	for (i = 0; i < BOARD_PORTS; i++) {
		uint8_t m[6];

		bd_port_mac(b, i, m);
		snprintf(key, sizeof(key), "eth%u.mac", i);
		snprintf(value, sizeof(value), "%02x:%02x:%02x:%02x:%02x:%02x",
			 m[0], m[1], m[2], m[3], m[4], m[5]);
		n += add(t + n, end - n, key, value);
	}
	n++;		/* an empty key ends the list */
	bd_put32(t, HWINFO_VERSION_2);
	bd_put32(t + 4, n + 4);
	bd_put32(t + 8, BD_HWINFO_SIZE);
	bd_put32(t + n, bd_crc32_posix(t, n));
}

const char *bd_hwinfo_find(struct board *b, const char *key)
{
	const char *t = board_mem_ptr(b, BD_HWINFO_ADDR, BD_HWINFO_SIZE);
	const char *p = t + HWINFO_HEADER, *end = t + BD_HWINFO_SIZE;
	size_t k = strlen(key);
	unsigned int i;

	for (i = 0; i < BD_OVERRIDES; i++)
		if (!strncmp(b->nsp->override[i], key, k) && b->nsp->override[i][k] == '=')
			return b->nsp->override[i] + k + 1;

	/* The host can write to this table, so its strings may lack a terminator. */
	while (p < end && *p) {
		const char *v = memchr(p, 0, end - p);
		const char *next;

		if (!v || ++v >= end)
			return NULL;
		next = memchr(v, 0, end - v);
		if (!next)
			return NULL;
		if (!strcmp(p, key))
			return v;
		p = next + 1;
	}
	return NULL;
}
