/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_caps.h - the BPF application as a whole, for board.c and the vNICs.
 */
#ifndef BPF_CAPS_H
#define BPF_CAPS_H

#include "vnic.h"

#define BD_BPF_ABI	3	/* this ABI's keys and values have slots of the largest size */

extern const struct bd_nic_app bd_bpf_app;

void bd_bpf_symbols(struct board *b);
/*
 * Choose the helpers that the firmware has from its next start on: names separated by commas.
 * Return: false if a name is unknown.
 */
bool bd_bpf_helpers(struct board *b, const char *list);
void bd_bpf_reset(struct board *b);

#endif /* BPF_CAPS_H */
