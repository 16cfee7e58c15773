// SPDX-License-Identifier: BSD-2-Clause
/* work.c - the work of the model's accelerators. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"
#include "work.h"

static const uint8_t key[AES_GCM_KEY] = "nfpfabric's key.";

void fab_work_init(struct fab_work_state *w)
{
	w->key = aes_gcm_new(key);
	if (w->key)
		return;
	fprintf(stderr, "nfpfabric: libcrypto has no memory, or no AES-128-GCM\n");
	exit(1);
}

void fab_work_free(struct fab_work_state *w)
{
	aes_gcm_free(w->key);
}

uint32_t fab_sealed_len(uint32_t size)
{
	return AES_GCM_NONCE + size + AES_GCM_TAG;
}

void fab_image(uint64_t seq, uint8_t *image, uint32_t size)
{
	uint64_t x = seq * 0x9e3779b97f4a7c15ull + 1;
	uint32_t i;

	for (i = 0; i < size; i++) {
		x = x * 6364136223846793005ull + 1442695040888963407ull;
		image[i] = (x >> 33) % (PERCEPTRON_PIXEL_MAX + 1);
	}
}

void fab_seal(struct fab_work_state *w, uint64_t seq, uint32_t size, uint8_t *message)
{
	uint8_t *plain = fab_alloc(1, AES_GCM_NONCE + size);

	memcpy(plain, &seq, sizeof(seq));
	fab_image(seq, plain + AES_GCM_NONCE, size);
	if (aes_gcm_seal(w->key, plain, AES_GCM_NONCE + size, message)) {
		fprintf(stderr, "nfpfabric: libcrypto cannot encrypt\n");
		exit(1);
	}
	free(plain);
}

int fab_decrypt(void *ctx, uint64_t seq, const uint8_t *in, uint32_t len, uint8_t *out)
{
	struct fab_work_state *w = ctx;
	uint8_t *plain;
	int rc;

	(void)seq;
	if (len < AES_GCM_NONCE + AES_GCM_TAG)
		return -EINVAL;
	plain = fab_alloc(1, len);
	rc = aes_gcm_open(w->key, in, len, plain);
	len -= AES_GCM_NONCE + AES_GCM_TAG;
	memcpy(out, plain + AES_GCM_NONCE, len);
	free(plain);
	return rc ? rc : (int)len;
}

/* Split an image into tiles of 64 pixels, and add the tiles' scores. */
static void scores(const uint8_t *in, uint32_t len, uint8_t *out)
{
	int32_t sum[PERCEPTRON_CLASSES] = { 0 }, score[PERCEPTRON_CLASSES];
	uint8_t tile[PERCEPTRON_PIXELS];
	uint32_t at, now, c;

	for (at = 0; at < len; at += now) {
		now = len - at < sizeof(tile) ? len - at : sizeof(tile);
		memset(tile, 0, sizeof(tile));
		memcpy(tile, in + at, now);
		perceptron(tile, score);
		for (c = 0; c < PERCEPTRON_CLASSES; c++)
			sum[c] += score[c];
	}
	memcpy(out, sum, sizeof(sum));
}

int fab_classify(void *ctx, uint64_t seq, const uint8_t *in, uint32_t len, uint8_t *out)
{
	(void)ctx;
	(void)seq;
	scores(in, len, out);
	return FAB_RESULT;
}

int fab_relay(void *ctx, uint64_t seq, const uint8_t *in, uint32_t len, uint8_t *out)
{
	(void)ctx;
	(void)seq;
	memcpy(out, in, len);
	return len;
}

void fab_reference(uint64_t seq, uint32_t size, uint8_t *result)
{
	uint8_t *image = fab_alloc(1, size);

	fab_image(seq, image, size);
	scores(image, size, result);
	free(image);
}
