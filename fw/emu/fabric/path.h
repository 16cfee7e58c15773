/* SPDX-License-Identifier: BSD-2-Clause */
/* path.h - the critical path: from a step back through the steps that caused it. */
#ifndef FAB_PATH_H
#define FAB_PATH_H

#include "fabric.h"

#define FAB_ROWS	64

/**
 * struct fab_row - consecutive steps of the path that belong to one operation
 * @op: PCIe operation; 0: work of a node
 * @kind: kind of the work
 * @node: node that works
 * @crossings: link crossings on the path
 * @takes: time
 */
struct fab_row {
	uint32_t op, crossings;
	uint8_t kind, node;
	fab_time takes;
};

struct fab_path {
	struct fab_row row[FAB_ROWS];
	unsigned int rows;
	uint32_t crossings, cpu_actions;
	fab_time takes;
};

/* Compute the path to step @end. Return 0, or -E2BIG if it has more than FAB_ROWS rows. */
int fab_path(const struct fab_sim *s, uint32_t end, struct fab_path *p);
/* Text of a row, as in the paper's tables: "NIC -> CPU", "Encrypted Image (DMA WR)" */
void fab_row_text(const struct fab_sim *s, const struct fab_row *r, char *way, char *what,
		  size_t size);

#endif /* FAB_PATH_H */
