/* SPDX-License-Identifier: BSD-2-Clause */
/* fw_check.h - check a firmware file, before a card loads it. */
#ifndef FW_CHECK_H
#define FW_CHECK_H

#include "fw_image.h"

/**
 * struct fw_checked - what was checked
 * @mes: microengines that have code
 * @words: instructions of all microengines
 * @loaded: sections that are loaded into a memory
 * @workers: entries of each list of workers (fw_workers.h); 0: the file has no lists
 */
struct fw_checked {
	unsigned int mes;
	unsigned long words;
	unsigned int loaded;
	unsigned int workers;
};

/**
 * fw_check() - check an open file: it can be written without a change; each instruction has the
 *   right ECC and is in the code store; no section overlaps another one of its memory; the MIP has
 *   the tables of symbols; each worker in the lists has code for four contexts
 *
 * Return: 0, -ENOMEM, or -EINVAL with the first fault in @err.
 */
int fw_check(const struct fw_image *img, struct fw_checked *c, char *err, size_t errlen);

#endif /* FW_CHECK_H */
