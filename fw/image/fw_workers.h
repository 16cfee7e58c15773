/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fw_workers.h - the microengines of the vendor's BPF image that process packets, the workers, and
 * the lists of them that its application master uses.
 *
 * The lists are two arrays in the local memory of the master: _cfg_mes_ids and _dp_mes_ids. An
 * entry has the island in bits 31:4, and the microengine plus 4 in bits 3:0. The master's code has
 * the number of entries as a constant. It writes the programs to the code stores of these
 * microengines, and waits for a signal of each. So the entry of a worker that is given up must
 * become that of one that stays in the same island: what the master does to a microengine may be
 * done to it twice.
 */
#ifndef FW_WORKERS_H
#define FW_WORKERS_H

#include <stdbool.h>

#include "fw_edit.h"

#define FW_WORKER_LISTS		2

/* Get entry @i of a list. Return: false behind the last one, or if the file has no lists. */
bool fw_worker_entry(const struct fw_image *img, unsigned int list, unsigned int i,
		     unsigned int *island, unsigned int *me);
#define FW_CONTEXTS		8

/**
 * struct fw_contexts - the contexts of a microengine, as the loader starts them
 * @four: four-context mode, with the contexts 0, 2, 4 and 6
 * @mask: contexts that are enabled
 * @pc: code address at which each begins
 */
struct fw_contexts {
	bool four;
	uint8_t mask;
	uint16_t pc[FW_CONTEXTS];
};

/* Get the contexts of a microengine. EINVAL: the file does not set them, or more than once. */
int fw_contexts(const struct fw_image *img, unsigned int island, unsigned int me,
		struct fw_contexts *c);
/* Set them. EINVAL with a reason: as above. */
int fw_contexts_set(struct fw_image *img, unsigned int island, unsigned int me,
		    const struct fw_contexts *c, char *err, size_t errlen);

/*
 * Say whether a microengine may be given up. Return: 0, or -EINVAL with the reason in @err: it is
 * no worker, or its initialisation code sets memory up for others.
 */
int fw_worker_check(const struct fw_image *img, unsigned int island, unsigned int me, char *err,
		    size_t errlen);
/* Take a microengine off the lists. EINVAL with a reason: it is the last one of its island. */
int fw_worker_drop(struct fw_image *img, unsigned int island, unsigned int me, char *err,
		   size_t errlen);
#endif /* FW_WORKERS_H */
