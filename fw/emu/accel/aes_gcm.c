// SPDX-License-Identifier: BSD-2-Clause
/*
 * aes_gcm.c - AES-128-GCM by libcrypto.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "aes_gcm.h"

struct aes_gcm {
	EVP_CIPHER_CTX *seal;
	EVP_CIPHER_CTX *open;
};

/* Set up a context with the key only. Each message brings a nonce. */
static EVP_CIPHER_CTX *context(const uint8_t *key, int seal)
{
	EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();

	if (c && EVP_CipherInit_ex(c, EVP_aes_128_gcm(), NULL, key, NULL, seal) == 1)
		return c;
	EVP_CIPHER_CTX_free(c);
	return NULL;
}

struct aes_gcm *aes_gcm_new(const uint8_t key[AES_GCM_KEY])
{
	struct aes_gcm *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->seal = context(key, 1);
	g->open = context(key, 0);
	if (g->seal && g->open)
		return g;
	aes_gcm_free(g);
	return NULL;
}

void aes_gcm_free(struct aes_gcm *g)
{
	if (!g)
		return;
	EVP_CIPHER_CTX_free(g->seal);	/* this clears the key */
	EVP_CIPHER_CTX_free(g->open);
	free(g);
}

int aes_gcm_seal(struct aes_gcm *g, const uint8_t *in, size_t len, uint8_t *out)
{
	int n;

	if (len < AES_GCM_NONCE || len > INT_MAX)
		return -EINVAL;
	memcpy(out, in, AES_GCM_NONCE);
	if (EVP_CipherInit_ex(g->seal, NULL, NULL, NULL, in, -1) != 1 ||
	    EVP_EncryptUpdate(g->seal, out + AES_GCM_NONCE, &n, in + AES_GCM_NONCE,
			      len - AES_GCM_NONCE) != 1 ||
	    EVP_EncryptFinal_ex(g->seal, out + len, &n) != 1 ||
	    EVP_CIPHER_CTX_ctrl(g->seal, EVP_CTRL_AEAD_GET_TAG, AES_GCM_TAG, out + len) != 1)
		return -EIO;
	return 0;
}

int aes_gcm_open(struct aes_gcm *g, const uint8_t *in, size_t len, uint8_t *out)
{
	size_t text = len - AES_GCM_NONCE - AES_GCM_TAG;
	uint8_t tag[AES_GCM_TAG];
	int n;

	if (len < AES_GCM_NONCE + AES_GCM_TAG || len > INT_MAX)
		return -EINVAL;
	memcpy(tag, in + len - AES_GCM_TAG, sizeof(tag));
	memcpy(out, in, AES_GCM_NONCE);
	if (EVP_CipherInit_ex(g->open, NULL, NULL, NULL, in, -1) == 1 &&
	    EVP_DecryptUpdate(g->open, out + AES_GCM_NONCE, &n, in + AES_GCM_NONCE, text) == 1 &&
	    EVP_CIPHER_CTX_ctrl(g->open, EVP_CTRL_AEAD_SET_TAG, sizeof(tag), tag) == 1 &&
	    EVP_DecryptFinal_ex(g->open, out + AES_GCM_NONCE + text, &n) == 1)
		return 0;
	/* libcrypto writes the plaintext before the tag is checked. Clear it. */
	memset(out, 0, AES_GCM_NONCE + text);
	return -EBADMSG;
}
