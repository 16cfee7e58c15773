// SPDX-License-Identifier: BSD-2-Clause
/* frames_bpf.c - the filter of "frames": an interpreter of classic BPF. */
#include <nfp/mem_bulk.h>

#include "frames.h"

static __shared __lmem struct cbpf frames_bpf[NFP_FRAMES_INSNS];

/**
 * struct machine - a run of the filter
 * @a: accumulator
 * @x: index register
 * @mem: scratch memory
 * @data: the frame
 * @caplen: bytes at @data
 * @len: bytes of the frame on the wire
 * @refused: an instruction reads behind the frame, or divides by 0
 */
struct machine {
	uint32_t a;
	uint32_t x;
	uint32_t mem[CBPF_CELLS];
	const __mem40 uint8_t *data;
	uint32_t caplen;
	uint32_t len;
	int refused;
};

unsigned int frames_bpf_set(unsigned int i, unsigned int n, const struct cbpf *insn)
{
	frames_bpf[i] = *insn;
	return cbpf_check(insn, n - 1 - i);
}

/* Read @size bytes at @at, which are in network byte order. */
static __swaps uint32_t load(struct machine *m, uint32_t at, uint32_t size)
{
	__xread uint32_t in;
	uint32_t word, val = 0, i;

	if (at > m->caplen || size > m->caplen - at) {
		m->refused = 1;
		return 0;
	}
	mem_read8(&in, m->data + at, size);
	word = le32_to_cpu(in);
	for (i = 0; i < size; i++)
		val = val << 8 | (word >> 8 * i & 0xff);
	return val;
}

static __swaps uint32_t load_insn(struct machine *m, const struct cbpf *i)
{
	uint32_t size = CBPF_SIZE(i->code) == CBPF_W ? 4 : CBPF_SIZE(i->code) == CBPF_H ? 2 : 1;
	uint32_t at;

	switch (CBPF_MODE(i->code)) {
	case CBPF_ABS:
		return load(m, i->k, size);
	case CBPF_IND:
		at = m->x + i->k;
		if (at < m->x)		/* the sum is more than 32 bits */
			at = m->caplen;
		return load(m, at, size);
	case CBPF_MEM:
		return m->mem[i->k];
	case CBPF_LEN:
		return m->len;
	case CBPF_MSH:
		return (load(m, i->k, 1) & 0xf) * 4;
	default:
		return i->k;
	}
}

static uint32_t divide(struct machine *m, uint32_t by, int rest)
{
	if (!by) {
		m->refused = 1;
		return 0;
	}
	return rest ? m->a % by : m->a / by;
}

static uint32_t alu(struct machine *m, const struct cbpf *i)
{
	uint32_t by = i->code & CBPF_X ? m->x : i->k;

	switch (CBPF_OP(i->code)) {
	case CBPF_ADD:
		return m->a + by;
	case CBPF_SUB:
		return m->a - by;
	case CBPF_MUL:
		return m->a * by;
	case CBPF_DIV:
		return divide(m, by, 0);
	case CBPF_MOD:
		return divide(m, by, 1);
	case CBPF_OR:
		return m->a | by;
	case CBPF_AND:
		return m->a & by;
	case CBPF_XOR:
		return m->a ^ by;
	case CBPF_LSH:
		return by < 32 ? m->a << by : 0;
	case CBPF_RSH:
		return by < 32 ? m->a >> by : 0;
	default:
		return -m->a;
	}
}

/* Return: instructions to skip. */
static uint32_t jump(const struct machine *m, const struct cbpf *i)
{
	uint32_t with = i->code & CBPF_X ? m->x : i->k;
	int is;

	switch (CBPF_OP(i->code)) {
	case CBPF_JEQ:
		is = m->a == with;
		break;
	case CBPF_JGT:
		is = m->a > with;
		break;
	case CBPF_JGE:
		is = m->a >= with;
		break;
	case CBPF_JSET:
		is = !!(m->a & with);
		break;
	default:
		return i->k;
	}
	return is ? i->jt : i->jf;
}

uint32_t frames_bpf_run(const __mem40 uint8_t *data, uint32_t caplen, uint32_t len)
{
	struct machine m = { 0 };
	struct cbpf insn;
	unsigned int pc;

	m.data = data;
	m.caplen = caplen;
	m.len = len;
	for (pc = 0; !m.refused; pc++) {
		insn = frames_bpf[pc];
		switch (CBPF_CLASS(insn.code)) {
		case CBPF_LD:
			m.a = load_insn(&m, &insn);
			break;
		case CBPF_LDX:
			m.x = load_insn(&m, &insn);
			break;
		case CBPF_ST:
			m.mem[insn.k] = m.a;
			break;
		case CBPF_STX:
			m.mem[insn.k] = m.x;
			break;
		case CBPF_ALU:
			m.a = alu(&m, &insn);
			break;
		case CBPF_JMP:
			pc += jump(&m, &insn);
			break;
		case CBPF_RET:
			return insn.code & CBPF_A ? m.a : insn.k;
		default:
			if (insn.code & CBPF_TXA)
				m.a = m.x;
			else
				m.x = m.a;
		}
	}
	return 0;
}
