/* SPDX-License-Identifier: BSD-2-Clause */
/* fault_int.h - faults: what fault.c and fault_inject.c share. */
#ifndef BD_FAULT_INT_H
#define BD_FAULT_INT_H

#include <nfp_chan_fw.h>

#include "fault_ops.h"

#define FAULT_RULES	32
#define FAULT_HELD	64
#define FAULT_LINE	128

enum fault_kind {
	FAULT_NONE,
	FAULT_CB_GARBAGE,
	FAULT_CB_STALE,
	FAULT_CB_CHANGE,
	FAULT_CB_VERSION,
	FAULT_MBOX_DEAF,
	FAULT_MBOX_SILENT,
	FAULT_MBOX_LATE,
	FAULT_MBOX_TWICE,
	FAULT_MBOX_TORN,
	FAULT_MBOX_SEQ,
	FAULT_MBOX_STATUS,
	FAULT_MBOX_VALUE,
	FAULT_MBOX_IRQ,
	FAULT_NOTE_POS,
	FAULT_NOTE_BACK,
	FAULT_NOTE_STATE,
	FAULT_NOTE_LOST,
	FAULT_HDR_LEN,
	FAULT_HDR_SEQ,
	FAULT_PORT_COOKIE,
	FAULT_DATA_LATE,
	FAULT_DATA_LOST,
	FAULT_DATA_SHORT,
	FAULT_DATA_SWAP,
	FAULT_BELL_LOST,
	FAULT_IRQ_LOST,
	FAULT_IRQ_TWICE,
	FAULT_IRQ_SPURIOUS,
	FAULT_IRQ_FREED,
	FAULT_STAT_FLIP,
	FAULT_SRAM_ONES,
	FAULT_GONE,
	FAULT_FW_STOP,
	FAULT_FW_RESTART,
	FAULT_KINDS
};

/**
 * struct fault_rule - a fault that was set
 * @kind: FAULT_*; FAULT_NONE: this entry is free
 * @after: events that the fault leaves unchanged before the first one that it hits
 * @count: events that it hits, 0 for all
 * @value: the new value, or the number that is added, as the kind defines it
 * @chan: name of the channel whose pipes it hits, "" for all
 * @seen: events of its kind so far
 * @hits: events that it has hit
 */
struct fault_rule {
	enum fault_kind kind;
	uint32_t after;
	uint32_t count;
	uint32_t value;
	char chan[NFP_CHAN_NAME_LEN];
	uint32_t seen;
	uint32_t hits;
};

/**
 * struct fault_pipe - a pipe, from the host's requests
 * @open: OPEN was requested, and no CLOSE since
 * @chan: id of the channel
 * @vector: MSI-X vector
 * @ring: DMA address of the data ring
 * @ring_size: bytes of the data ring
 * @note: DMA address of the notification record
 * @last_pos: position in the last record
 */
struct fault_pipe {
	bool open;
	uint16_t chan;
	uint16_t vector;
	uint64_t ring;
	uint64_t ring_size;
	uint64_t note;
	uint64_t last_pos;
};

/**
 * struct fault_held - a DMA write to the host that a fault holds back
 * @kind: the fault
 * @pipe: the pipe, or FAULT_ANY_PIPE
 * @wait: events until the write lands
 * @host: DMA address
 * @mem: copy of the bytes
 * @len: number of bytes
 */
struct fault_held {
	enum fault_kind kind;
	unsigned int pipe;
	uint32_t wait;
	uint64_t host;
	uint8_t *mem;
	uint32_t len;
};

struct bd_fault {
	struct fault_rule rule[FAULT_RULES];
	struct fault_pipe pipe[NFP_CHAN_FW_PIPE_MAX];
	struct fault_held held[FAULT_HELD];
	unsigned int nheld;
	uint64_t rsp;			/* DMA address of responses */
	uint16_t mbox_vector;
	uint8_t last_rsp[sizeof(struct nfp_chan_fw_rsp)];
	bool have_rsp;
	uint8_t stale[NFP_CHAN_FW_SRAM_SIZE];	/* control block that cb-stale shows */
	bool gone;
	bool halted;
	uint32_t hits;
	uint32_t flrs;			/* function level resets */
	uint32_t result;
	char line[FAULT_LINE];
	unsigned int line_len;
};

/* fault.c */
#define FAULT_ANY_PIPE	NFP_CHAN_FW_PIPE_MAX
struct fault_rule *fault_find(struct board *b, enum fault_kind kind, unsigned int pipe);
/* Count an event of @kind. Return: the fault that hits it, or NULL. */
struct fault_rule *fault_hit(struct board *b, enum fault_kind kind, unsigned int pipe);

/* fault_inject.c: operations of struct bd_fault_ops */
bool fault_gone(const struct board *b);
bool fault_halted(const struct board *b);
void fault_sram_read(struct board *b, uint32_t off, uint8_t *buf, size_t len);
bool fault_doorbell(struct board *b, unsigned int queue);
bool fault_dma(struct board *b, struct board_dma *d, int *status);
bool fault_msix(struct board *b, unsigned int vector);
void fault_release(struct board *b, enum fault_kind kind);
void fault_drop(struct board *b);
void fault_forget(struct board *b);

#endif /* BD_FAULT_INT_H */
