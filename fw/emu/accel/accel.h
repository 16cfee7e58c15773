/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * accel.h - an accelerator as a PCI device: registers, a ring of descriptors in memory, a
 * doorbell, completions. struct accel_kind has the function that computes a job.
 *
 * One thread owns a device. The host is the client of the vfio-user server.
 */
#ifndef ACCEL_H
#define ACCEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "accel_regs.h"
#include "vfio_user.h"

#define ACCEL_STREAM_COUNT	64
#define ACCEL_LEN_MAX		(1u << 20)	/* data without nonce and tag */

struct accel;

/**
 * struct accel_job - input and output of a kind's @run
 * @desc: stream, flags and length. The queue handles the addresses
 * @in: input
 * @out: output
 * @result: result for the completion
 */
struct accel_job {
	const struct accel_desc *desc;
	const uint8_t *in;
	uint8_t *out;
	uint32_t result;
};

/**
 * struct accel_kind - the function of a device
 * @name: name for nfpaccel --kind
 * @flags: flags that a descriptor may have
 * @size: return the bytes of a job's output, or set @status if the length is not valid
 * @run: compute a job. The output has the bytes that @size returned
 * @key: set the key of stream @i, or remove it (NULL). NULL: this kind has no keys
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
	bool irq_pending;		/* an interrupt could not be delivered yet */
	void *stream[ACCEL_STREAM_COUNT];	/* state of the kind */
	uint8_t cfg[VFIO_USER_CFG_SIZE];
	uint8_t *in;			/* input and output of a job */
	uint8_t *out;
};

/* For vfio_user_listen(). Its @dev is a struct accel. */
extern const struct vfio_user_dev accel_dev;

/* accel.c. Returns NULL if there is no memory. */
struct accel *accel_create(const struct accel_kind *kind);
void accel_destroy(struct accel *a);
void accel_reset(struct accel *a);	/* same effect as ACCEL_RESET */
void accel_log(int level, const char *text);
/* Write the counters as JSON. 0 or -errno. */
int accel_stats_json(const struct accel *a, const char *path);

/* cfg.c: configuration space */
void accel_cfg_init(struct accel *a);
/* Return true if the host requests a function level reset. */
bool accel_cfg_write(struct accel *a, unsigned int off, const uint8_t *buf, size_t len);
bool accel_cfg_memory(const struct accel *a);
bool accel_cfg_master(const struct accel *a);

/* regs.c: BAR 0 */
void accel_bar_read(struct accel *a, uint64_t off, uint8_t *buf, size_t len);
void accel_bar_write(struct accel *a, uint64_t off, const uint8_t *buf, size_t len);

/* queue.c: do at most @budget jobs. Return true if there are more. */
bool accel_run(struct accel *a, unsigned int budget);
void accel_irq(struct accel *a);	/* raise the interrupt, or keep it pending */

#endif /* ACCEL_H */
