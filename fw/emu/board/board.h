/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.h - an emulated NFP-4000 Agilio CX 2x25G, as a library.
 *
 * A front end (front.c, or a test) takes the place of the root complex. It passes the host's
 * accesses to configuration space and BARs to the board. It also gives the board the two ways in
 * which a real card reaches the host: memory at DMA addresses, and MSI-X vectors. The interface
 * for firmware is in board_fw.h. The types that the units of the card need as well are in
 * board_types.h.
 *
 * A board belongs to one thread; no function here is thread safe.
 */
#ifndef BOARD_H
#define BOARD_H

#include "board_types.h"

struct board_fw;	/* board_fw.h */

/*
 * Kinds of resets. Counters and wires survive all of them. A function level reset, which the host
 * requests in the device control register, resets the PCI function: configuration space, MSI-X
 * and vNICs. Memory, microengines and window CSRs keep their state, and DMA fails until the host
 * enables bus mastering again.
 */
enum board_reset {
	BOARD_RESET_POWER,	/* a new host: reset the whole card, restart the firmware */
	BOARD_RESET_FLR,	/* function level reset */
	BOARD_RESET_LOST,	/* the front end's client has gone: same as POWER */
};

/**
 * board_create() - make a board in its power-on state
 * @fw: firmware to run on its microengines, or NULL for none
 * @fw_ctx: argument of @fw's functions
 *
 * Return: the board, or NULL with errno set (ENOMEM). Free the board with board_destroy().
 */
struct board *board_create(const struct board_fw *fw, void *fw_ctx);
void board_destroy(struct board *b);

/* Connect the board to a host, or with @ops NULL disconnect it. Without a host DMA fails. */
void board_attach(struct board *b, const struct board_host_ops *ops, void *ctx);

/*
 * True with option peers=on: DMA writes may go to other devices. Such writes are posted, so an
 * error comes later: the front end reports it with board_write_failed(), which counts a DMA
 * fault.
 */
bool board_peers(const struct board *b);
void board_write_failed(struct board *b);

/**
 * board_set() - set an option by name, as nfpboard --set KEY=VALUE does
 * @err: buffer for a message that names the key, the value and the allowed values
 *
 * Return: 0, -ENOENT for an unknown key, -EINVAL for a bad value.
 */
int board_set(struct board *b, const char *key, const char *value,
	      char *err, size_t errlen);

/*
 * Accesses of the host. Any offset and length is allowed: bytes out of range read as all ones,
 * and writes to them are dropped, as on a bus. An access of 1, 2, 4 or 8 bytes is one TLP; a
 * longer access is split as a root complex splits it. The command register applies: BARs respond
 * only while memory space is enabled, and DMA and MSI-X need bus mastering.
 */
void board_cfg_read(struct board *b, unsigned int off, void *buf, size_t len);
void board_cfg_write(struct board *b, unsigned int off, const void *buf, size_t len);
void board_bar_read(struct board *b, unsigned int bar, uint64_t off, void *buf, size_t len);
void board_bar_write(struct board *b, unsigned int bar, uint64_t off, const void *buf, size_t len);
uint64_t board_bar_size(const struct board *b, unsigned int bar);	/* 0: no such BAR */
void board_reset(struct board *b, enum board_reset how);

/* The host has armed or disarmed a vector. Arming it delivers an interrupt that is pending. */
void board_msix_armed(struct board *b, unsigned int vector, bool armed);

/**
 * board_run() - run microengines, DMA and wire ports
 * @budget: number of work items (packets, commands) after which to return
 *
 * Return: true if there is more to do now. If false, nothing happens before board_deadline()
 * unless the host or a wire port acts.
 */
bool board_run(struct board *b, unsigned int budget);

/* Time of the next timer in CLOCK_MONOTONIC ns, or UINT64_MAX if there is none. */
uint64_t board_deadline(const struct board *b);

/* ---- wire ports ---- */

/* Plug a wire into @port (0 or 1). The wire that was there is closed. */
void board_wire(struct board *b, unsigned int port,
		const struct board_wire_ops *ops, void *ctx);

/*
 * Return the descriptor of @port's wire, and in @events the poll(2) events after which
 * board_run() has work; -1: nothing to wait for.
 */
int board_wire_fd(const struct board *b, unsigned int port, short *events);

/* ---- counters ---- */

const char *board_tlp_name(enum board_tlp purpose);	/* "doorbell", ... */
void board_tlp_get(const struct board *b, enum board_tlp purpose,
		   struct board_tlp_count *c);
void board_tlp_clear(struct board *b);

/* Write all counters as one JSON object to the file @path. 0 or -errno. */
int board_stats_json(const struct board *b, const char *path);

#endif /* BOARD_H */
