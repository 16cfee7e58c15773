/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * accel.h - an accelerator as a PCI device: registers, a ring of descriptors in memory,
 * doorbell, completions. Its kind says how a job is computed.
 *
 * One thread owns a device. The host is behind the vfio-user server.
 */
#ifndef ACCEL_H
#define ACCEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_regs.h"
#include "vfio_user.h"

#define ACCEL_STREAM_COUNT	64
#define ACCEL_LEN_MAX		(1u << 20)	/* of the data, besides nonce and tag */

struct accel;

/**
 * struct accel_job - what a kind gets, and what it gives
 * @desc: stream, flags and length; its addresses are the queue's concern
 * @in: the input
 * @out: for the output
 * @result: for the completion
 */
struct accel_job {
	const struct accel_desc *desc;
	const uint8_t *in;
	uint8_t *out;
	uint32_t result;
};

/**
 * struct accel_kind - what a device computes
 * @name: as of nfpaccel --kind
 * @flags: those that a descriptor may have
 * @size: bytes of output for a job; its length may be the reason for another @status
 * @run: the job, whose output has as many bytes
 * @key: stream @i gets a key, or loses its own (NULL); NULL: this kind has no keys
 */
struct accel_kind {
	const char *name;
	uint16_t device;
	uint8_t class[3];	/* interface, subclass, class */
	uint32_t kind;
	uint32_t max_len;
	uint32_t flags;
	uint32_t (*size)(const struct accel_desc *d, enum accel_status *status);
	enum accel_status (*run)(struct accel *a, struct accel_job *job);
	void (*key)(struct accel *a, unsigned int i, const uint8_t *key);
};

extern const struct accel_kind accel_aes_gcm;
extern const struct accel_kind accel_classify;

struct accel_stats {
	uint32_t doorbells;
	uint32_t overruns;
	uint32_t good;
	uint32_t failed;
	uint32_t reads;
	uint32_t writes;
	uint32_t dma_failed;
	uint32_t notified;
	uint32_t interrupts;
};

/* Registers that the host has written; a reset clears them. */
struct accel_regs {
	uint32_t status;
	uint64_t queue_base;
	uint32_t queue_size;
	uint32_t events;
	uint64_t notify_addr;
	uint64_t notify_data;
	uint32_t notify_len;
	uint32_t done;
	uint32_t asked;
	uint32_t stream;
	uint8_t key[16];
};

struct accel {
	const struct accel_kind *kind;
	struct vfio_user *host;		/* NULL: there is none */
	struct accel_regs regs;
	struct accel_stats stats;
	bool irq_pending;		/* could not be delivered yet */
	void *stream[ACCEL_STREAM_COUNT];	/* the kind's */
	uint8_t cfg[VFIO_USER_CFG_SIZE];
	uint8_t *in;			/* a job's input and output */
	uint8_t *out;
};

/* For vfio_user_listen(); the device is a struct accel. */
extern const struct vfio_user_dev accel_dev;

/* accel.c. NULL: ENOMEM. */
struct accel *accel_create(const struct accel_kind *kind);
void accel_destroy(struct accel *a);
void accel_reset(struct accel *a);	/* as ACCEL_RESET */
void accel_log(int level, const char *text);
/* Write the counters as JSON. 0 or -errno. */
int accel_stats_json(const struct accel *a, const char *path);

/* cfg.c: configuration space */
void accel_cfg_init(struct accel *a);
/* True: the host asks for a function level reset. */
bool accel_cfg_write(struct accel *a, unsigned int off, const uint8_t *buf, size_t len);
bool accel_cfg_memory(const struct accel *a);
bool accel_cfg_master(const struct accel *a);

/* regs.c: BAR 0 */
void accel_bar_read(struct accel *a, uint64_t off, uint8_t *buf, size_t len);
void accel_bar_write(struct accel *a, uint64_t off, const uint8_t *buf, size_t len);

/* queue.c. At most @budget jobs; true when there are more. */
bool accel_run(struct accel *a, unsigned int budget);
void accel_irq(struct accel *a);	/* raise it, or keep it for later */

#endif /* ACCEL_H */
