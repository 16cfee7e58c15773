/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mes.h - the microengines of the firmware's file that have code of this project (fw_graft.h). They
 * execute it instruction by instruction. What the vendor's microengines do is modelled by the
 * other units.
 */
#ifndef MES_H
#define MES_H

#include <stdio.h>

#include "board_int.h"

struct bd_me;

/* struct bd_mes - the microengines that run code of the file */
struct bd_mes {
	struct bd_me *first;
};

/* Start the microengines of the file that was loaded last, and end those that ran before. */
void bd_mes_start(struct board *b);
void bd_mes_exit(struct board *b);

/* Run each microengine until it waits, or for some instructions. Return: true if one did something. */
bool bd_mes_run(struct board *b);
/* Return: time of the next alarm of a microengine that waits for one, ns, or BD_NEVER. */
uint64_t bd_mes_deadline(const struct board *b);

/* Write a JSON array: place, instructions, commands and swaps of each context; faults. */
void bd_mes_stats(const struct board *b, FILE *f);

#endif /* MES_H */
