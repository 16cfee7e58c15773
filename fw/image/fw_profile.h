/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fw_profile.h - what a card's firmware offers to the host: identity, capabilities for BPF
 * programs, and the fields of the control BARs.
 *
 * Two profiles are compiled in. "public" is bpf-2.0.6.124, the BPF firmware that the vendor has
 * published, as Debian's package firmware-netronome has it for the Agilio CX 2x25G
 * (bpf/nic_AMDA0099-0001_2x25.nffw). "full" is a firmware that nobody has: it offers all that the
 * driver supports. A third kind of profile is read from a firmware file.
 */
#ifndef FW_PROFILE_H
#define FW_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fw_image.h"

/* The value of _pf0_net_app_id (nfp_app.h, enum nfp_app_id) */
#define FW_APP_NIC		1
#define FW_APP_BPF		2
#define FW_APP_FLOWER		3

/* Capabilities in _abi_bpf_capabilities (bpf/fw.h, enum bpf_cap_tlv_type) */
#define FW_CAP_FUNC		1	/* id of the helper, its address in the code store */
#define FW_CAP_ADJUST_HEAD	2	/* flags, off_min, off_max, guaranteed_sub, guaranteed_add */
#define FW_CAP_MAPS		3	/* types, maps, elements, bytes of key, value, element */
#define FW_CAP_RANDOM		4
#define FW_CAP_QUEUE_SELECT	5
#define FW_CAP_ADJUST_TAIL	6
#define FW_CAP_ABI_VERSION	7	/* u32 */
#define FW_CAP_CMSG_MULTI_ENT	8

#define FW_CAPS_MAX		512	/* bytes of capabilities; the public image has 116 */
#define FW_PORTS_MAX		8

/**
 * struct fw_bpf - fields for BPF programs in a control BAR (nfp_net_ctrl.h)
 * @abi: version of the ABI, which the capabilities have as well
 * @stack: units of 64 bytes
 * @inl_mtu: a program reaches the first 64 * @inl_mtu - 32 bytes of a packet
 * @max_len: longest program of a vNIC, in instructions
 * @start: address of the first vNIC's program in the code store. That of vNIC n is
 *	@start + n * @max_len
 * @done: address to which a program branches at its end
 */
struct fw_bpf {
	uint8_t abi;
	uint8_t stack;
	uint8_t inl_mtu;
	uint16_t max_len;
	uint16_t start;
	uint16_t done;
};

/**
 * struct fw_vnic - fields of a port's control BAR (nfp_net_ctrl.h)
 * @version: CFG_VERSION
 * @cap: CFG_CAP
 * @cap_word1: CFG_CAP_WORD1
 * @rss_cap: CFG_RSS_CAP
 * @rings: number of TX and of RX rings
 * @tlv: offset of the TLVs in the BAR
 * @me_mhz: clock of the microengines, which a TLV reports
 */
struct fw_vnic {
	uint32_t version;
	uint32_t cap;
	uint32_t cap_word1;
	uint32_t rss_cap;
	uint32_t rings;
	uint32_t tlv;
	uint32_t me_mhz;
};

/**
 * struct fw_profile - a firmware
 * @name: "public", "full", or the path of the file
 * @app: FW_APP_*
 * @ports: vNICs of the physical function
 * @caps: capabilities, each a type, a length in bytes and a value, of 32-bit little-endian words
 * @caps_len: bytes of @caps; 0: there are none
 * @no_bar: the file does not have @vnic and @bpf, whose fields the firmware's code writes. They are
 *	those of the profile "public" then
 */
struct fw_profile {
	char name[256];
	struct fw_mip mip;
	uint32_t app;
	uint32_t ports;
	uint8_t caps[FW_CAPS_MAX];
	size_t caps_len;
	struct fw_vnic vnic;
	struct fw_bpf bpf;
	bool no_bar;
};

#define FW_FUNCS_MAX		16

/**
 * struct fw_caps - capabilities as the driver understands them (bpf/main.c, nfp_bpf_parse_caps())
 * @abi: version of the ABI: 2 if the firmware does not say
 * @funcs: number of @func
 * @func: helpers: number (linux/bpf.h, enum bpf_func_id), address in the code store
 * @has_head: @head is valid
 * @has_maps: @maps is valid
 * @multi: a control message has up to four entries
 */
struct fw_caps {
	uint32_t abi;
	unsigned int funcs;
	struct {
		uint32_t id;
		uint32_t addr;
	} func[FW_FUNCS_MAX];
	bool has_head;
	struct {
		uint32_t flags, off_min, off_max, sub, add;
	} head;
	bool has_maps;
	struct {
		uint32_t types, maps, elems, key, value, elem;
	} maps;
	bool random, queue, tail, multi;
};

extern const struct fw_profile fw_public, fw_full;

/**
 * fw_profile_get() - find a profile by name, or read it from a file
 * @name: "public", "full", or the path of a firmware file. A path has a slash or a dot
 * @err: buffer for the reason of a failure
 *
 * Return: 0, ENOENT for a name that is unknown, or as fw_image_open().
 */
int fw_profile_get(struct fw_profile *p, const char *name, char *err, size_t errlen);
/* Make a profile of an open image. EINVAL with a reason if the image lacks a symbol. */
int fw_profile_image(struct fw_profile *p, const struct fw_image *img, const char *name,
		     char *err, size_t errlen);

/*
 * Get the next capability, from offset *@at on, which moves behind it. @value: its words in the
 * byte order of the file. Return: false at the end, or if the rest is no capability.
 */
bool fw_cap_next(const uint8_t *caps, size_t len, size_t *at, uint32_t *type, uint32_t *size,
		 const uint8_t **value);
/*
 * Decode capabilities. Return: 0, or -EINVAL where the driver would refuse the firmware: the
 * capabilities do not end where they should, or one is too short.
 */
int fw_caps_parse(const uint8_t *caps, size_t len, struct fw_caps *c);

#endif /* FW_PROFILE_H */
