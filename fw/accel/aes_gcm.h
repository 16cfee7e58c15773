/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aes_gcm.h - AES-128-GCM of a message that has its nonce before it and its tag behind
 * it; no additional data. Standing on libcrypto.
 */
#ifndef AES_GCM_H
#define AES_GCM_H

#include <stddef.h>
#include <stdint.h>

#define AES_GCM_KEY	16u
#define AES_GCM_NONCE	12u
#define AES_GCM_TAG	16u

struct aes_gcm;

/* A key. NULL: ENOMEM. */
struct aes_gcm *aes_gcm_new(const uint8_t key[AES_GCM_KEY]);
void aes_gcm_free(struct aes_gcm *g);

/*
 * Nonce and plaintext, @len bytes, to nonce, ciphertext and tag: @len + AES_GCM_TAG bytes
 * at @out. 0, -EINVAL for less than a nonce, -EIO when libcrypto fails.
 */
int aes_gcm_seal(struct aes_gcm *g, const uint8_t *in, size_t len, uint8_t *out);

/*
 * The other way round: @len - AES_GCM_TAG bytes at @out. 0, -EINVAL for less than nonce and
 * tag, -EBADMSG when the tag is wrong: @out is all zeroes then.
 */
int aes_gcm_open(struct aes_gcm *g, const uint8_t *in, size_t len, uint8_t *out);

#endif /* AES_GCM_H */
