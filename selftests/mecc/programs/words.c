// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* words.c - objects in EMEM: words, records that are copied, numbers at odd addresses. */
#include "prog.h"

struct record {
	u64 sum;
	u32 seen;
	u16 port;
	u8 kind, flags;
};

struct text {
	char c[22];
	u16 len;
	u32 word[15];
};

static __emem struct record far_record[3];
static __emem struct text far_text, far_copy;
static __emem struct {
	u8 kind;
	u16 half;
	u32 word;
	u64 wide;
} __attribute__((packed)) far_packed[3];
static __emem u64 far_wide[9];
static struct record near_record[3];
static struct text near_text;

void far_records(void)
{
	u32 i = in[0] % 3, j = in[1] % 3, k = in[2] % 3;
	struct record r = far_record[i];

	r.sum += (u64)in[3] << 32 | in[4];
	r.seen++;
	r.port = (u16)in[5];
	r.flags ^= (u8)in[6];
	far_record[j] = r;
	near_record[k] = far_record[j];
	near_record[k].kind++;
	far_record[k] = near_record[k];
	far_record[(k + 1) % 3] = far_record[j];
	out[0] = (u32)(far_record[k].sum >> 32) ^ (u32)far_record[j].sum;
	out[1] = near_record[k].seen + near_record[i].port * 3u + near_record[j].flags;
	out[2] = far_record[0].kind + far_record[1].kind * 3u + far_record[2].kind * 5u;
}

void far_texts(void)
{
	u32 i, sum = 0;

	for (i = 0; i < 22; i++)
		near_text.c[i] = (char)(in[i & 7] >> i);
	for (i = 0; i < 15; i++)
		near_text.word[i] = in[i & 7] * (i + 3);
	near_text.len = (u16)in[0];
	far_text = near_text;
	far_text.c[in[1] % 22]++;
	far_copy = far_text;
	far_copy.word[in[2] % 15] ^= in[3];
	__builtin_memset(&near_text, (int)in[4], sizeof(near_text));
	if (in[5] & 1)
		near_text = far_copy;
	else
		__builtin_memset(&far_copy, 0x5a, sizeof(far_copy));
	for (i = 0; i < 22; i++)
		sum = sum * 31 + (u8)near_text.c[i] + (u8)far_copy.c[i];
	out[0] = sum;
	for (i = 0; i < 15; i++)
		sum = sum * 31 + near_text.word[i] + far_copy.word[i];
	out[1] = sum;
	out[2] = near_text.len;
	__builtin_memset(far_copy.c, (int)in[6], 22);
	out[3] = (u8)far_copy.c[in[7] % 22] + far_copy.len + far_copy.word[0];
	__builtin_memcpy(far_copy.c, far_text.c, 22);
	out[4] = (u8)far_copy.c[in[7] % 22] + (u8)far_copy.c[21] + far_copy.len;
}

void far_odd(void)
{
	u32 i = in[0] % 3, j = in[1] % 3;

	far_packed[i].kind = (u8)in[2];
	far_packed[i].half += (u16)in[3];
	far_packed[i].word ^= in[4];
	far_packed[i].wide += (u64)in[5] << 32 | in[6];
	out[0] = far_packed[j].kind + far_packed[j].half * 3u;
	out[1] = far_packed[j].word;
	out[2] = (u32)far_packed[j].wide;
	out[3] = (u32)(far_packed[j].wide >> 32);
	far_packed[(j + 1) % 3] = far_packed[j];
	out[4] = far_packed[2].word + far_packed[0].word * 3 + far_packed[1].word * 5;
}

void far_wides(void)
{
	u32 i;

	far_wide[in[0] % 9] ^= (u64)in[1] << 32 | in[2];
	far_wide[in[3] % 9] = far_wide[in[4] % 9] * 5 + in[5];
	out[0] = out[1] = 0;
	for (i = 0; i < 9; i++) {
		out[0] = out[0] * 3 + (u32)far_wide[i];
		out[1] = out[1] * 3 + (u32)(far_wide[i] >> 32);
	}
}

#define ENTRIES(X) X(far_records) X(far_texts) X(far_odd) X(far_wides)
