/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * me_rig.h - a microengine and its memories, for tests.
 *
 * rig_load() loads a program at START, and appends a branch to DONE, which ends the program.
  * With NFPCHAN_ME_WORDS=FILE, rig_load() also appends each word to FILE, for me_disasm.t.
 */
#ifndef ME_RIG_H
#define ME_RIG_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fw_code.h"
#include "me.h"
#include "me_asm.h"

#define START		3072
#define DONE		8191
#define MEM_SIZE	4096
#define MU_BASE		0x8012345600ull	/* a 40-bit address, as the BPF maps have */
#define BUDGET		100000

struct rig {
	struct me me;
	struct me_ctx *c;		/* context 1: finds code that assumes context 0 */
	struct me_image *img;
	enum me_mode mode;		/* of the images that rig_load() makes */
	uint8_t pkt[MEM_SIZE];		/* memory of ME_SPACE_PACKET, at address 0 */
	uint8_t mu[MEM_SIZE];		/* memory of ME_SPACE_MU, at address MU_BASE */
	unsigned int commands;
};

static uint8_t *rig_mem(struct rig *r, enum me_space space, uint64_t addr, size_t len)
{
	uint64_t base = space == ME_SPACE_MU ? MU_BASE : 0;

	r->commands++;
	if (addr < base || addr - base > MEM_SIZE - len)
		return NULL;
	return (space == ME_SPACE_MU ? r->mu : r->pkt) + (addr - base);
}

static int rig_read(void *priv, enum me_space space, uint64_t addr, void *buf, size_t len)
{
	uint8_t *p = rig_mem(priv, space, addr, len);

	if (p)
		memcpy(buf, p, len);
	return p ? 0 : -EFAULT;
}

static int rig_write(void *priv, enum me_space space, uint64_t addr, const void *buf, size_t len)
{
	uint8_t *p = rig_mem(priv, space, addr, len);

	if (p)
		memcpy(p, buf, len);
	return p ? 0 : -EFAULT;
}

static int rig_add(void *priv, enum me_space space, uint64_t addr, bool wide, uint64_t v)
{
	uint8_t *p = rig_mem(priv, space, addr, wide ? 8 : 4);

	if (p)
		me_counter_add(p, wide, v);
	return p ? 0 : -EFAULT;
}

static const struct me_ops rig_ops = { .read = rig_read, .write = rig_write, .add = rig_add };

static inline int rig_setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	me_init(&r->me, &rig_ops, r);
	r->c = &r->me.ctx[1];
	assert_int_equal(me_hook(&r->me, DONE, NULL, NULL), 0);
	/* Give each register a different value, none 0: finds code that assumes 0. */
	for (unsigned int i = 0; i < ME_GPRS; i++) {
		r->c->reg[ME_R_A + i] = 0xa0a0a000 | i;
		r->c->reg[ME_R_B + i] = 0xb0b0b000 | i;
	}
	for (unsigned int i = 0; i < ME_XFERS; i++) {
		r->c->reg[ME_R_IN + i] = 0x11111100 | i;
		r->c->reg[ME_R_OUT + i] = 0x0f0f0f00 | i;
	}
	*state = r;
	return 0;
}

static inline int rig_teardown(void **state)
{
	struct rig *r = *state;

	me_exit(&r->me);
	me_image_put(r->img);
	free(r);
	return 0;
}

static inline void rig_load(struct rig *r, const uint64_t *words, unsigned int n)
{
	const char *log = getenv("NFPCHAN_ME_WORDS");
	uint64_t w[256];
	FILE *f;

	assert_true(n < 256);
	for (unsigned int i = 0; i < n; i++)
		w[i] = fw_ecc(words[i]);
	w[n++] = fw_ecc(br(ALWAYS, DONE, 0));
	me_image_put(r->img);
	r->img = me_image_new_mode(r->mode, START, w, n, NULL);
	assert_non_null(r->img);
	if (!log)
		return;
	f = fopen(log, "a");
	assert_non_null(f);
	for (unsigned int i = 0; i < n; i++)
		fprintf(f, "%llx\n", (unsigned long long)(w[i] & 0x1fffffffffff));
	fclose(f);
}

static inline enum me_status rig_run(struct rig *r, const uint64_t *words, unsigned int n)
{
	rig_load(r, words, n);
	me_start(&r->me, 1, r->img, START);
	return me_run(&r->me, 1, BUDGET);
}

#define WORDS(...)	(const uint64_t []){ __VA_ARGS__ }, \
			sizeof((const uint64_t []){ __VA_ARGS__ }) / 8
/* Run a program, and assert that it ends without a fault. */
#define RUN(r, ...) do { \
		enum me_status st_ = rig_run((r), WORDS(__VA_ARGS__)); \
		if (st_ == ME_FAULT) \
			print_message("# fault at %u: %s\n", (r)->c->fault.pc, \
				      me_fault_text((r)->c->fault.reason)); \
		assert_int_equal(st_, ME_DONE); \
	} while (0)
/* Run a program, and assert that it faults at its word @i for reason @why. */
#define FAULTS(r, why, i, ...) do { \
		const uint64_t w_[] = { __VA_ARGS__ }; \
		assert_int_equal(rig_run((r), WORDS(__VA_ARGS__)), ME_FAULT); \
		assert_int_equal((r)->c->fault.reason, (why)); \
		assert_int_equal((r)->c->fault.pc, START + (i)); \
		assert_int_equal((r)->c->fault.ctx, 1); \
		assert_int_equal((r)->c->fault.insn, w_[i]); \
		assert_int_equal(me_run(&(r)->me, 1, BUDGET), ME_FAULT); \
	} while (0)

#define RA(r, i)	me_gpr((r)->c, ME_R_A, (i))
#define RB(r, i)	me_gpr((r)->c, ME_R_B, (i))
#define XIN(r, i)	((r)->c->reg[ME_R_IN + (i)])
#define XOUT(r, i)	((r)->c->reg[ME_R_OUT + (i)])

/* Assert that the 32-bit words from @at on have these values. */
#define ASSERT_WORDS(at, ...) \
	assert_memory_equal(at, ((const uint32_t []){ __VA_ARGS__ }), \
			    sizeof((const uint32_t []){ __VA_ARGS__ }))
#define ASSERT_A(r, i, ...)	ASSERT_WORDS(&(r)->c->reg[ME_R_A + (i)], __VA_ARGS__)
#define ASSERT_B(r, i, ...)	ASSERT_WORDS(&(r)->c->reg[ME_R_B + (i)], __VA_ARGS__)
#define ASSERT_IN(r, i, ...)	ASSERT_WORDS(&XIN(r, i), __VA_ARGS__)
#define ASSERT_LM(r, i, ...)	ASSERT_WORDS(&(r)->me.lm[i], __VA_ARGS__)

static inline void set_a(struct rig *r, unsigned int i, uint32_t v)
{
	r->c->reg[ME_R_A + i] = v;
}

static inline void set_b(struct rig *r, unsigned int i, uint32_t v)
{
	r->c->reg[ME_R_B + i] = v;
}

static inline void set_ab(struct rig *r, unsigned int i, uint32_t a, uint32_t b)
{
	set_a(r, i, a);
	set_b(r, i, b);
}

#define RIG_TEST(f)	cmocka_unit_test_setup_teardown(f, rig_setup, rig_teardown)

#endif /* ME_RIG_H */
