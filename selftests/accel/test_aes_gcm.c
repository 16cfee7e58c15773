// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_aes_gcm.c - AES-128-GCM against the test cases of its specification: McGrew and Viega,
 * "The Galois/Counter Mode of Operation", appendix B. NIST SP 800-38D is based on it.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "aes_gcm.h"

#define TEXT_MAX	64

static const struct gcm_case {
	const char *key, *nonce, *plain, *cipher, *tag;
} cases[] = {
	{ "00000000000000000000000000000000", "000000000000000000000000", "", "",
	  "58e2fccefa7e3061367f1d57a4e7455a" },
	{ "00000000000000000000000000000000", "000000000000000000000000",
	  "00000000000000000000000000000000", "0388dace60b6a392f328c2b971b2fe78",
	  "ab6e47d42cec13bdf53a67b21257bddf" },
	{ "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
	  "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
	  "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
	  "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
	  "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
	  "4d5c2af327cd64a62cf35abd2ba6fab4" },
};

static size_t unhex(const char *text, uint8_t *out)
{
	size_t n = strlen(text) / 2;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(sscanf(text + 2 * i, "%2hhx", &out[i]), 1);
	return n;
}

/* Convert a case's key and its two messages from hexadecimal. Returns the length of the first. */
static size_t load(const struct gcm_case *c, uint8_t *key, uint8_t *plain, uint8_t *sealed)
{
	size_t n = AES_GCM_NONCE + unhex(c->plain, plain + AES_GCM_NONCE);

	unhex(c->key, key);
	unhex(c->nonce, plain);
	unhex(c->nonce, sealed);
	assert_int_equal(unhex(c->cipher, sealed + AES_GCM_NONCE), n - AES_GCM_NONCE);
	assert_int_equal(unhex(c->tag, sealed + n), AES_GCM_TAG);
	return n;
}

static void vectors(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t key[AES_GCM_KEY], plain[AES_GCM_NONCE + TEXT_MAX];
		uint8_t sealed[sizeof(plain) + AES_GCM_TAG], out[sizeof(sealed)];
		size_t n = load(&cases[i], key, plain, sealed);
		struct aes_gcm *g = aes_gcm_new(key);

		assert_non_null(g);
		/* twice: the engine must keep nothing of a message */
		for (unsigned int twice = 0; twice < 2; twice++) {
			memset(out, 0xee, sizeof(out));
			assert_int_equal(aes_gcm_seal(g, plain, n, out), 0);
			assert_memory_equal(out, sealed, n + AES_GCM_TAG);
			memset(out, 0xee, sizeof(out));
			assert_int_equal(aes_gcm_open(g, sealed, n + AES_GCM_TAG, out), 0);
			assert_memory_equal(out, plain, n);
		}
		aes_gcm_free(g);
	}
}

/* With one bit changed in the nonce, the ciphertext or the tag, there is no plaintext. */
static void tampered(void **state)
{
	uint8_t key[AES_GCM_KEY], plain[AES_GCM_NONCE + TEXT_MAX];
	uint8_t sealed[sizeof(plain) + AES_GCM_TAG], out[sizeof(plain)];
	static const uint8_t none[sizeof(plain)];
	size_t n = load(&cases[2], key, plain, sealed);
	struct aes_gcm *g = aes_gcm_new(key);

	for (size_t bit = 0; bit < 8 * (n + AES_GCM_TAG); bit++) {
		sealed[bit / 8] ^= 1 << bit % 8;
		memset(out, 0xee, sizeof(out));
		assert_int_equal(aes_gcm_open(g, sealed, n + AES_GCM_TAG, out), -EBADMSG);
		assert_memory_equal(out, none, n);
		sealed[bit / 8] ^= 1 << bit % 8;
	}
	assert_int_equal(aes_gcm_open(g, sealed, n + AES_GCM_TAG, out), 0);
	aes_gcm_free(g);
}

static void too_short(void **state)
{
	uint8_t key[AES_GCM_KEY] = { 0 }, in[64] = { 0 }, out[64];
	struct aes_gcm *g = aes_gcm_new(key);

	assert_int_equal(aes_gcm_seal(g, in, AES_GCM_NONCE - 1, out), -EINVAL);
	assert_int_equal(aes_gcm_seal(g, in, AES_GCM_NONCE, out), 0);
	assert_int_equal(aes_gcm_open(g, in, AES_GCM_NONCE + AES_GCM_TAG - 1, out), -EINVAL);
	assert_int_equal(aes_gcm_open(g, in, 0, out), -EINVAL);
	aes_gcm_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors),
		cmocka_unit_test(tampered),
		cmocka_unit_test(too_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
