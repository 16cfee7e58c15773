// SPDX-License-Identifier: BSD-2-Clause
/*
 * options.c - options of the card: nfpboard --set KEY=VALUE.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "board.h"
#include "bpf_caps.h"
#include "bpf_prog.h"
#include "cfg.h"
#include "fault.h"
#include "mac.h"
#include "nffw.h"

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
	static const char *const when[] = {
		[BD_START_FLOWS] = "flows", [BD_START_LINK] = "link",
		[BD_START_PROMISC] = "promisc",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(when); i++) {
		if (strcmp(value, when[i]))
			continue;
		bd_port_start_when(b, i);
		return true;
	}
	return false;
}

/* The keys that tell the driver who loads firmware are in the hardware information. */
static bool set_firmware(struct board *b, const char *value, char *err, size_t errlen)
{
	if (bd_firmware_set(b, value, err, errlen))
		return false;
	bd_hwinfo_build(b);
	b->asked |= BD_ASK_CHANGE;
	return true;
}

/*
 * Another application needs a restart of the firmware. The options app, bpf-helpers and bpf-words
 * change the firmware that was chosen before.
 */
static bool set_app(struct board *b, const char *value)
{
	if (strcmp(value, "nic") && (strcmp(value, "bpf") || bd_firmware(b)->app != FW_APP_BPF))
		return false;
	bd_nic_app(b, strcmp(value, "bpf") ? NULL : &bd_bpf_app);
	b->asked |= BD_ASK_FIRMWARE;
	return true;
}

static bool set_helpers(struct board *b, const char *value)
{
	if (!bd_bpf_helpers(b, value))
		return false;
	b->asked |= BD_ASK_FIRMWARE;
	return true;
}

static bool set_peers(struct board *b, const char *value)
{
	if (strcmp(value, "on") && strcmp(value, "off"))
		return false;
	b->peers = !strcmp(value, "on");
	return true;
}

static bool set_stores(struct board *b, const char *value)
{
	if (strcmp(value, "strict") && strcmp(value, "lenient"))
		return false;
	b->lenient = !strcmp(value, "lenient");
	return true;
}

static bool set_mac(struct board *b, const char *value)
{
	uint8_t mac[6];

	/* Port 1 gets the next address, so the last byte must have room. */
	if (!parse_mac(value, mac) || mac[0] & 1 || mac[5] == 0xff)
		return false;
	memcpy(b->ident.mac, mac, 6);
	bd_hwinfo_build(b);
	return true;
}

static bool set_serial(struct board *b, const char *value)
{
	if (!parse_mac(value, b->ident.serial))
		return false;
	bd_cfg_serial(b);
	bd_hwinfo_build(b);
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

static bool set_words(struct board *b, const char *value)
{
	uint32_t n;

	if (!set_number(value, bd_firmware(b)->bpf.max_len, &n) || !n)
		return false;
	b->ustore->max_len = n;
	b->asked |= BD_ASK_FIRMWARE;
	return true;
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
	{ "app", "nic, or bpf if the firmware has it", set_app },
	{ "bpf-helpers", "a list of lookup,update,delete,event,adjust_head,adjust_tail,random,queue",
	  set_helpers },
	{ "bpf-words", "1 to the firmware's limit (public: 2816, full: 2560)", set_words },
	{ "start", "flows, link or promisc", set_start },
	{ "mac", "a unicast address xx:xx:xx:xx:xx:xx, last byte not ff", set_mac },
	{ "serial", "xx:xx:xx:xx:xx:xx", set_serial },
	{ "temperature", "0 to 150000 (mC)", set_temp },
	{ "power", "0 to 100000000 (uW)", set_power },
	{ "images", "a file that can be written", set_images },
	{ "peers", "on or off", set_peers },
	{ "stores", "strict or lenient", set_stores },
	{ "fault", "off, or NAME[:after=N][:count=N][:value=N][:chan=NAME],... (selftests/kmod/FAULTS.rst)",
	  bd_fault_set },
};

static bool changes_firmware(const char *key)
{
	return !strcmp(key, "app") || !strncmp(key, "bpf-", 4);
}

int board_set(struct board *b, const char *key, const char *value,
	      char *err, size_t errlen)
{
	char keys[160] = "firmware", why[256];
	unsigned int i;
	bool good;

	if (!strcmp(key, "firmware")) {
		good = set_firmware(b, value, why, sizeof(why));
		bd_reset_asked(b);
		if (good)
			return 0;
		snprintf(err, errlen, "firmware=%s: %s", value, why);
		return -EINVAL;
	}
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (strcmp(key, options[i].key)) {
			snprintf(keys + strlen(keys), sizeof(keys) - strlen(keys),
				 ", %s", options[i].key);
			continue;
		}
		if (changes_firmware(key) && !bd_firmware_loaded(b)) {
			snprintf(err, errlen, "%s=%s: not with firmware=host: the host loads the firmware later",
				 key, value);
			return -EINVAL;
		}
		good = options[i].set(b, value);
		bd_reset_asked(b);
		if (good)
			return 0;
		snprintf(err, errlen, "%s=%s: must be %s", key, value, options[i].allowed);
		return -EINVAL;
	}
	snprintf(err, errlen, "%s: unknown option; known options: %s", key, keys);
	return -ENOENT;
}
