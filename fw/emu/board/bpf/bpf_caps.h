/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_caps.h - the BPF application as a whole, for board.c and the vNICs.
 */
#ifndef BPF_CAPS_H
#define BPF_CAPS_H

#include "vnic.h"

extern const struct bd_nic_app bd_bpf_app;

/* The firmware starts: write the application's id and its capabilities, and add their symbols. */
void bd_bpf_symbols(struct board *b);
/*
 * Choose the helpers that the firmware has from its next start on, whatever its profile says:
 * names separated by commas. NULL: those of the profile. Return: false if a name is unknown.
 */
bool bd_bpf_helpers(struct board *b, const char *list);
void bd_bpf_reset(struct board *b);

#endif /* BPF_CAPS_H */
