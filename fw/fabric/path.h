/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * path.h - the critical path, walked back from a step through what caused it.
 */
#ifndef FAB_PATH_H
#define FAB_PATH_H

#include "fabric.h"

#define FAB_ROWS	64

/**
 * struct fab_row - steps of the path that belong together
 * @op: PCIe operation; 0: none, but somebody's work
 * @kind, @node: of work: whose
 * @crossings: links that its TLPs crossed on the path
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

/* The way to step @end. -E2BIG: it has more than FAB_ROWS rows. */
int fab_path(const struct fab_sim *s, uint32_t end, struct fab_path *p);
/* A row as the paper's tables have it: "NIC -> CPU", "Encrypted Image (DMA WR)" */
void fab_row_text(const struct fab_sim *s, const struct fab_row *r, char *way, char *what,
		  size_t size);

#endif /* FAB_PATH_H */
