/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nffw.h - the loaded firmware, and tables in the card's memory that describe the card to the
 * host: hardware information, resources, the firmware's MIP and its symbols.
 */
#ifndef NFFW_H
#define NFFW_H

#include "board_int.h"
#include "fw_profile.h"

#define BD_SYMBOLS	1024	/* the public images have up to 1,400; those for this card 560 */

/*
 * struct bd_symbol - a run-time symbol: the fields of its entry in the host's table
 * @addr: of an object in the memory unit: its address there, and not in its island
 */
struct bd_symbol {
	char name[64];
	uint8_t type;
	uint8_t target;
	uint8_t island;
	uint8_t me;
	uint64_t addr;
	uint64_t len;
};

/*
 * struct bd_nffw - the firmware
 * @profile: what it offers to the host
 * @image: its file; without sections if the profile is one that is compiled in
 * @tables: address of the table of symbols for the host. The table of names begins BD_SYMTAB_SIZE
 *	bytes behind
 * @names_size: room for the names
 * @host: the flash has no firmware, so the host loads a file (firmware=host)
 * @loaded: there is firmware. Without it @profile has no meaning
 */
struct bd_nffw {
	struct fw_profile profile;
	struct fw_image image;
	uint64_t tables;
	uint32_t names_size;
	bool host;
	bool loaded;
	struct bd_symbol sym[BD_SYMBOLS];
	unsigned int count;
};

/* firmware.c */
int bd_firmware_init(struct board *b);
void bd_firmware_exit(struct board *b);
/*
 * Choose the firmware that runs from its next start on: "public", "full", a file, or "host": none,
 * until the host loads a file. Return: 0, or a negative errno with the reason in @err.
 */
int bd_firmware_set(struct board *b, const char *name, char *err, size_t errlen);
/*
 * The same for the file of @len bytes at @file that the host loads. @file comes from malloc(), and is
 * freed later. -ENOEXEC: it is no firmware file, or is damaged.
 */
int bd_firmware_host(struct board *b, uint8_t *file, size_t len, char *err, size_t errlen);
/* Forget the firmware that the host has loaded. False: it is not the host that loads firmware. */
bool bd_firmware_unload(struct board *b);
bool bd_firmware_loaded(const struct board *b);
const struct fw_profile *bd_firmware(const struct board *b);
/* Tell the driver which application the firmware is: FW_APP_*. */
void bd_firmware_app(struct board *b, uint32_t app);
/* The firmware starts: load the initial contents of its memories. */
void bd_firmware_load(struct board *b);
/* Return: MU address of an object of the firmware, by its symbol in a table of struct fw_sym. */
uint64_t bd_sym_addr(const struct fw_sym *s);

void bd_nffw_reset(struct board *b);	/* keeps no symbols except those of the NIC firmware */
void bd_nffw_build(struct board *b);
void bd_nffw_remove(struct board *b, const char *name);	/* no effect if there is no such symbol */
void bd_dump_spec(struct board *b);	/* dump_spec.c */
/*
 * Return: the address of the symbol @name, or 0 if no symbol of at least @len bytes has that
 * name.
 */
uint64_t bd_nffw_symbol(const struct board *b, const char *name, uint64_t len);

uint32_t bd_crc32(uint32_t crc, const void *buf, size_t len);
uint32_t bd_crc32_posix(const void *buf, size_t len);
void bd_hwinfo_build(struct board *b);
/*
 * Return the value of @key, or NULL. A value that the host has set (HWINFO_SET) overrides the
 * table.
 */
const char *bd_hwinfo_find(struct board *b, const char *key);
void bd_port_mac(const struct board *b, unsigned int port, uint8_t mac[6]);
void bd_resource_build(struct board *b);

#endif /* NFFW_H */
