/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fw_dump.h - what `ethtool -w` reads from the card (nfp_net_debugdump.c of the driver).
 *
 * The run-time symbol _abi_dump_spec is a list of records: type and length, 32 bits each in big
 * endian, and a value. An outer record is a level, which `ethtool -W` chooses by its type. Its
 * value is a list of records that say what is read. A record of zeros ends the list.
 *
 * The file that `ethtool -w` writes has records of the same form.
 */
#ifndef FW_DUMP_H
#define FW_DUMP_H

#include "fw_edit.h"

#define FW_DUMP_LEVEL	1000	/* of the symbols of grafted objects */

/*
 * Add symbols to the level FW_DUMP_LEVEL, which is the last one. Return: 0 also if the file has no
 * such list; -ENOSPC: no room in EMEM for it.
 */
int fw_dump_add(struct fw_image *img, const struct fw_sym *sym, unsigned int n);

/**
 * struct fw_dumped - a symbol in a file of `ethtool -w`
 * @error: errno of the driver's reads, negative; 0: none
 */
struct fw_dumped {
	const char *name;
	const uint8_t *data;
	uint32_t size;
	int error;
};

/*
 * Get the next symbol, from offset *@at on, which moves behind it. Return: 1, 0 at the end, or
 * -EINVAL: the rest is no record, or the file is none of `ethtool -w`.
 */
int fw_dumped_next(const uint8_t *file, size_t len, size_t *at, struct fw_dumped *d);

#endif /* FW_DUMP_H */
