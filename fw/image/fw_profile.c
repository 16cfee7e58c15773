// SPDX-License-Identifier: BSD-2-Clause
/* fw_profile.c - profiles of firmware: the two that are compiled in, and those of files. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>

#include "fw_ctrl.h"
#include "fw_profile.h"

/* Offsets in a control BAR, and TLVs (nfp_net_ctrl.h) */
#define BAR_SIZE		0x8000
#define BAR_TLV			0x58
#define BAR_TLV_ME_FREQ		(3u << 16 | 4)

#define RSS_TOEPLITZ		(1u << 24)
#define RSS_CRC32		(1u << 26)

#define MAPS_HASH_ARRAY		(1u << BPF_MAP_TYPE_HASH | 1u << BPF_MAP_TYPE_ARRAY)

#define LE32(v)			(v) & 0xff, (v) >> 8 & 0xff, (v) >> 16 & 0xff, (v) >> 24 & 0xff
#define CAP0(type)		LE32(type), LE32(0)
#define CAP1(type, a)		LE32(type), LE32(4), LE32(a)
#define CAP2(type, a, b)	LE32(type), LE32(8), LE32(a), LE32(b)
#define CAP5(type, a, b, c, d, e) \
	LE32(type), LE32(20), LE32(a), LE32(b), LE32(c), LE32(d), LE32(e)
#define CAP6(type, a, b, c, d, e, f) \
	LE32(type), LE32(24), LE32(a), LE32(b), LE32(c), LE32(d), LE32(e), LE32(f)

/*
 * adjust_head: there is no metadata in front of a packet, its start may be at offsets 44 to 248,
 * and a move by at most 84 down or 112 up from where the MAC puts it needs no check.
 */
#define CAP_HEAD		CAP5(FW_CAP_ADJUST_HEAD, 1, 44, 248, 84, 112)

/* All BPF images of the package have these bytes (selftests/fw/public.t compares). */
const struct fw_profile fw_public = {
	.name = "public",
	.mip = {
		.size = 0x6c, .entry = 0x60, .version = 0x00020006, .build = 124,
		.time = 0x5bb56775, .name = "bpf-2.0.6.124", .toolchain = "nfld 6.x-devel (build 3795)",
	},
	.app = FW_APP_BPF,
	.ports = 2,
	.caps = {
		CAP_HEAD,
		CAP6(FW_CAP_MAPS, MAPS_HASH_ARRAY, 128, 3072000, 56, 56, 64),
		CAP2(FW_CAP_FUNC, BPF_FUNC_map_lookup_elem, 0x47d),
		CAP2(FW_CAP_FUNC, BPF_FUNC_perf_event_output, 0x480),
		CAP0(FW_CAP_RANDOM),
		CAP0(FW_CAP_QUEUE_SELECT),
		CAP0(FW_CAP_ADJUST_TAIL),
	},
	.caps_len = 28 + 32 + 2 * 16 + 3 * 8,
	/* The values that the image's code writes: from a disassembly. */
	.vnic = {
		.version = 0x00000305,
		.cap = CTRL_ENABLE | CTRL_PROMISC | CTRL_RXCSUM | CTRL_TXCSUM | CTRL_GATHER |
		       CTRL_CMSG_DATA | CTRL_RSS | CTRL_IRQMOD | CTRL_MSIXAUTO | CTRL_BPF | CTRL_LSO2 |
		       CTRL_RSS2 | CTRL_CSUM_COMPLETE | CTRL_LIVE_ADDR,
		.rss_cap = RSS_CRC32,
		.rings = 32,
		.tlv = 0x1800,
		.me_mhz = 800,
	},
	.bpf = {
		.abi = 2, .stack = 8, .inl_mtu = 30, .max_len = 2816, .start = 2560, .done = 1,
	},
};

/* The addresses of update and delete were chosen for this project. */
const struct fw_profile fw_full = {
	.name = "full",
	.mip = {
		.size = 0x6c, .entry = 0x60, .version = 0x00000001, .name = "nfp-chan-full",
		.toolchain = "host " __VERSION__,
	},
	.app = FW_APP_BPF,
	.ports = 2,
	.caps = {
		CAP1(FW_CAP_ABI_VERSION, 3),
		CAP2(FW_CAP_FUNC, BPF_FUNC_map_lookup_elem, 0x47d),
		CAP2(FW_CAP_FUNC, BPF_FUNC_map_update_elem, 0x200),
		CAP2(FW_CAP_FUNC, BPF_FUNC_map_delete_elem, 0x300),
		CAP2(FW_CAP_FUNC, BPF_FUNC_perf_event_output, 0x480),
		CAP_HEAD,
		CAP0(FW_CAP_ADJUST_TAIL),
		CAP0(FW_CAP_RANDOM),
		CAP0(FW_CAP_QUEUE_SELECT),
		CAP6(FW_CAP_MAPS, MAPS_HASH_ARRAY, 128, 2048000, 56, 56, 64),
		CAP0(FW_CAP_CMSG_MULTI_ENT),
	},
	.caps_len = 12 + 4 * 16 + 28 + 4 * 8 + 32,
	.vnic = {
		.version = 0x00000405,
		/* LSO, not LSO2: the driver inserts no VLAN tags on a card that offers LSO2. */
		.cap = CTRL_ENABLE | CTRL_PROMISC | CTRL_L2BC | CTRL_L2MC | CTRL_RXCSUM | CTRL_TXCSUM |
		       CTRL_GATHER | CTRL_LSO | CTRL_RXVLAN_V2 | CTRL_RINGCFG | CTRL_IRQMOD |
		       CTRL_TXRWB | CTRL_TXVLAN_V2 | CTRL_BPF | CTRL_RSS2 | CTRL_LIVE_ADDR,
		.cap_word1 = CTRL_WORD1_USO,
		.rss_cap = RSS_TOEPLITZ,
		.rings = 8,
		.tlv = BAR_TLV,
		.me_mhz = 800,
	},
	.bpf = {
		.abi = 3, .stack = 8, .inl_mtu = 32, .max_len = 2560, .start = 3072, .done = 1,
	},
};

/* ---- capabilities ---- */

bool fw_cap_next(const uint8_t *caps, size_t len, size_t *at, uint32_t *type, uint32_t *size,
		 const uint8_t **value)
{
	if (len - *at < 8)
		return false;
	*type = fw_get32(caps + *at);
	*size = fw_get32(caps + *at + 4);
	*value = caps + *at + 8;
	if (*size > len - *at - 8)
		return false;
	*at += 8 + *size;
	return true;
}

/* Copy @n words to @to. Return: false if the capability is shorter. */
static bool words(uint32_t *to, unsigned int n, const uint8_t *value, uint32_t size)
{
	unsigned int i;

	if (size < 4 * n)
		return false;
	for (i = 0; i < n; i++)
		to[i] = fw_get32(value + 4 * i);
	return true;
}

static bool cap_parse(struct fw_caps *c, uint32_t type, const uint8_t *value, uint32_t size)
{
	uint32_t w[6] = { 0 };

	switch (type) {
	case FW_CAP_FUNC:
		if (!words(w, 2, value, size))
			return false;
		if (c->funcs < FW_FUNCS_MAX) {
			c->func[c->funcs].id = w[0];
			c->func[c->funcs++].addr = w[1];
		}
		return true;
	case FW_CAP_ADJUST_HEAD:
		c->has_head = words(w, 5, value, size);
		c->head.flags = w[0];
		c->head.off_min = w[1];
		c->head.off_max = w[2];
		c->head.sub = w[3];
		c->head.add = w[4];
		return c->has_head && c->head.off_min <= c->head.off_max;
	case FW_CAP_MAPS:
		c->has_maps = words(w, 6, value, size);
		c->maps.types = w[0];
		c->maps.maps = w[1];
		c->maps.elems = w[2];
		c->maps.key = w[3];
		c->maps.value = w[4];
		c->maps.elem = w[5];
		return c->has_maps;
	case FW_CAP_ABI_VERSION:
		return words(&c->abi, 1, value, size);
	case FW_CAP_RANDOM:
		c->random = true;
		return true;
	case FW_CAP_QUEUE_SELECT:
		c->queue = true;
		return true;
	case FW_CAP_ADJUST_TAIL:
		c->tail = true;
		return true;
	case FW_CAP_CMSG_MULTI_ENT:
		c->multi = true;
		return true;
	default:
		return true;
	}
}

int fw_caps_parse(const uint8_t *caps, size_t len, struct fw_caps *c)
{
	const uint8_t *value;
	uint32_t type, size;
	size_t at = 0;

	memset(c, 0, sizeof(*c));
	c->abi = 2;
	while (fw_cap_next(caps, len, &at, &type, &size, &value))
		if (!cap_parse(c, type, value, size))
			return -EINVAL;
	return at == len ? 0 : -EINVAL;
}

/* ---- profiles of files ---- */

static int fail(char *err, size_t errlen, const char *what)
{
	snprintf(err, errlen, "%s", what);
	return -EINVAL;
}

/* Read a symbol of 4 or 8 bytes. */
static bool number(const struct fw_image *img, const char *name, uint32_t *v)
{
	const struct fw_sym *s = fw_image_sym(img, name);
	const uint8_t *data = s ? fw_image_data(img, s) : NULL;

	if (!data || s->size < 4)
		return false;
	*v = fw_get32(data);
	return true;
}

/* Find the first TLV in the initial contents of the control BAR, and the clock of the MEs. */
static void bar_tlv(struct fw_vnic *v, const uint8_t *bar)
{
	uint32_t at;

	for (at = BAR_TLV; at + 8 <= BAR_SIZE; at += 4)
		if (fw_get32(bar + at))
			break;
	if (at + 8 > BAR_SIZE)
		return;
	v->tlv = at;
	if (fw_get32(bar + at) == BAR_TLV_ME_FREQ && fw_get32(bar + at + 4))
		v->me_mhz = fw_get32(bar + at + 4);
}

int fw_profile_image(struct fw_profile *p, const struct fw_image *img, const char *name,
		     char *err, size_t errlen)
{
	const struct fw_sym *caps = fw_image_sym(img, "_abi_bpf_capabilities");
	const struct fw_sym *bar = fw_image_sym(img, "_pf0_net_bar0");
	const uint8_t *data;
	struct fw_caps parsed;

	*p = fw_public;
	snprintf(p->name, sizeof(p->name), "%s", name);
	p->mip = img->mip;
	p->no_bar = strcmp(p->mip.name, fw_public.mip.name) != 0;
	p->caps_len = 0;
	if (!number(img, "_pf0_net_app_id", &p->app))
		return fail(err, errlen, "no symbol _pf0_net_app_id with a value");
	if (!number(img, "nfd_cfg_pf0_num_ports", &p->ports))
		return fail(err, errlen, "no symbol nfd_cfg_pf0_num_ports with a value");
	if (!bar || bar->size / BAR_SIZE < p->ports)
		return fail(err, errlen, "no symbol _pf0_net_bar0 with a control BAR for each port");
	data = fw_image_data(img, bar);
	if (data)
		bar_tlv(&p->vnic, data);
	if (!caps)
		return 0;
	data = fw_image_data(img, caps);
	if (!data || caps->size > sizeof(p->caps) || fw_caps_parse(data, caps->size, &parsed))
		return fail(err, errlen, "the contents of _abi_bpf_capabilities are not valid");
	memcpy(p->caps, data, caps->size);
	p->caps_len = caps->size;
	return 0;
}

int fw_profile_get(struct fw_profile *p, const char *name, char *err, size_t errlen)
{
	struct fw_image img;
	int ret;

	if (!strcmp(name, fw_public.name) || !strcmp(name, fw_full.name)) {
		*p = strcmp(name, fw_full.name) ? fw_public : fw_full;
		return 0;
	}
	if (!strpbrk(name, "/.")) {
		snprintf(err, errlen, "no firmware of this name; there are public, full, and files (a path with / or .)");
		return -ENOENT;
	}
	ret = fw_image_open(&img, name, err, errlen);
	if (ret)
		return ret;
	ret = fw_profile_image(p, &img, name, err, errlen);
	fw_image_close(&img);
	return ret;
}
