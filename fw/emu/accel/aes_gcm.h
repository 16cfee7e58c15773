/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aes_gcm.h - AES-128-GCM of a message: nonce, text, tag. There is no additional data. Uses
 * libcrypto.
 */
#ifndef AES_GCM_H
#define AES_GCM_H

#include <stddef.h>
#include <stdint.h>

#define AES_GCM_KEY	16u
#define AES_GCM_NONCE	12u
#define AES_GCM_TAG	16u

struct aes_gcm;

/* Make a key. Return NULL if there is no memory. */
struct aes_gcm *aes_gcm_new(const uint8_t key[AES_GCM_KEY]);
void aes_gcm_free(struct aes_gcm *g);

/*
 * Encrypt: @in has nonce and plaintext, @len bytes. @out gets nonce, ciphertext and tag, @len +
 * AES_GCM_TAG bytes. Return 0, -EINVAL (shorter than a nonce) or -EIO (libcrypto failed).
 */
int aes_gcm_seal(struct aes_gcm *g, const uint8_t *in, size_t len, uint8_t *out);

/*
 * Decrypt: @in has nonce, ciphertext and tag, @len bytes. @out gets nonce and plaintext, @len -
 * AES_GCM_TAG bytes. Return 0, -EINVAL (shorter than nonce and tag) or -EBADMSG (the tag is
 * wrong; @out is all zeroes).
 */
int aes_gcm_open(struct aes_gcm *g, const uint8_t *in, size_t len, uint8_t *out);

#endif /* AES_GCM_H */
