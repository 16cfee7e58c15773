/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work.h - the work of the model's accelerators, the same as nfpaccel's: AES-128-GCM, and a
 * perceptron for images.
 */
#ifndef FAB_WORK_H
#define FAB_WORK_H

#include <stdint.h>

#include "aes_gcm.h"
#include "perceptron.h"

#define FAB_RESULT	(PERCEPTRON_CLASSES * 4u)	/* scores */

struct fab_work_state {
	struct aes_gcm *key;
};

void fab_work_init(struct fab_work_state *w);
void fab_work_free(struct fab_work_state *w);
/* Bytes of a message with an image of @size bytes */
uint32_t fab_sealed_len(uint32_t size);
/* Make image @seq of a repeatable sequence, and the message with this image. */
void fab_image(uint64_t seq, uint8_t *image, uint32_t size);
void fab_seal(struct fab_work_state *w, uint64_t seq, uint32_t size, uint8_t *message);
/* Compute the correct result for image @seq, FAB_RESULT bytes */
void fab_reference(uint64_t seq, uint32_t size, uint8_t *result);

/* Functions of type fab_work (endpoint.h). @ctx is a struct fab_work_state. */
int fab_decrypt(void *ctx, uint64_t seq, const uint8_t *in, uint32_t len, uint8_t *out);
int fab_classify(void *ctx, uint64_t seq, const uint8_t *in, uint32_t len, uint8_t *out);
/* Work of a CPU that forwards the data */
int fab_relay(void *ctx, uint64_t seq, const uint8_t *in, uint32_t len, uint8_t *out);

#endif /* FAB_WORK_H */
