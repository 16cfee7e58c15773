// SPDX-License-Identifier: BSD-2-Clause
/* kinds.c - the functions of the accelerators: AES-GCM (aes_gcm.c), classifier (perceptron.c). */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "accel.h"
#include "aes_gcm.h"
#include "perceptron.h"

_Static_assert(AES_GCM_NONCE == ACCEL_NONCE_LEN && AES_GCM_TAG == ACCEL_TAG_LEN &&
	       PERCEPTRON_PIXELS == ACCEL_IMAGE_LEN &&
	       PERCEPTRON_CLASSES * sizeof(int32_t) == ACCEL_SCORES_LEN,
	       "what the driver is told");

/* ---- AES-128-GCM ---- */

static uint32_t aes_size(const struct accel_desc *d, enum accel_status *status)
{
	uint32_t least = ACCEL_NONCE_LEN + (d->flags & ACCEL_SEAL ? 0 : ACCEL_TAG_LEN);

	if (d->len < least) {
		*status = ACCEL_BAD_LEN;
		return 0;
	}
	return d->flags & ACCEL_SEAL ? d->len + ACCEL_TAG_LEN : d->len - ACCEL_TAG_LEN;
}

static enum accel_status aes_run(struct accel *a, struct accel_job *job)
{
	const struct accel_desc *d = job->desc;
	struct aes_gcm *key = a->stream[d->stream];
	int err;

	if (d->flags & ACCEL_SEAL)
		err = aes_gcm_seal(key, job->in, d->len, job->out);
	else
		err = aes_gcm_open(key, job->in, d->len, job->out);
	if (err)
		return err == -EBADMSG ? ACCEL_BAD_TAG : ACCEL_ENGINE_FAILED;
	return ACCEL_OK;
}

static void aes_key(struct accel *a, unsigned int i, const uint8_t *key)
{
	aes_gcm_free(a->stream[i]);
	a->stream[i] = key ? aes_gcm_new(key) : NULL;
}

const struct accel_kind accel_aes_gcm = {
	.name = "aes-gcm",
	.device = ACCEL_DEVICE_AES_GCM,
	.class = { 0x00, 0x80, 0x10 },	/* encryption */
	.kind = ACCEL_KIND_AES_GCM,
	.max_len = ACCEL_LEN_MAX + ACCEL_NONCE_LEN + ACCEL_TAG_LEN,
	.flags = ACCEL_SEAL,
	.size = aes_size,
	.run = aes_run,
	.key = aes_key,
};

/* ---- the classifier ---- */

static uint32_t classify_size(const struct accel_desc *d, enum accel_status *status)
{
	if (d->len != ACCEL_IMAGE_LEN)
		*status = ACCEL_BAD_LEN;
	return ACCEL_SCORES_LEN;
}

static enum accel_status classify_run(struct accel *a, struct accel_job *job)
{
	int32_t score[PERCEPTRON_CLASSES];

	(void)a;
	job->result = perceptron(job->in, score);
	for (unsigned int i = 0; i < PERCEPTRON_CLASSES; i++)
		score[i] = htole32(score[i]);
	memcpy(job->out, score, sizeof(score));
	return ACCEL_OK;
}

const struct accel_kind accel_classify = {
	.name = "classify",
	.device = ACCEL_DEVICE_CLASSIFY,
	.class = { 0x00, 0x00, 0x12 },	/* processing accelerator */
	.kind = ACCEL_KIND_CLASSIFY,
	.max_len = ACCEL_IMAGE_LEN,
	.size = classify_size,
	.run = classify_run,
};
