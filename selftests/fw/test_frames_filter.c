// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_frames_filter.c - filters of "frames": the card accepts the frames that libpcap's interpreter
 * accepts, for filters of tcpdump and for random ones, and refuses what is no filter.
 */
#include <frames_check.h>
#include <pcap/pcap.h>

#include "fw_wire.h"
#include "random.h"
#include "ring_end.h"

#define FRAMES	60
#define LEN	128

/**
 * struct filters - a host with open channels
 * @h: the host
 * @in: "frames"
 * @ctl: "frames-ctl"
 * @wire: what is connected to port 0
 * @frame: frames of the wire
 * @caplen: bytes of each
 * @token: of the last request
 * @answer: the answer to it
 * @copied: bytes of each frame that were copied, by its time stamp, or -1
 */
struct filters {
	struct fw_host h;
	struct end in;
	struct fw_pipe ctl;
	struct fw_wire wire;
	uint8_t frame[FRAMES][LEN];
	uint32_t caplen[FRAMES];
	uint64_t token;
	struct nfp_frames_hdr answer;
	int copied[FRAMES];
};

static struct filters *all;	/* for the wire's callback */
static uint64_t seed;

/* Frames over and over; the time is the frame's number. */
static bool next(struct fw_wire *w, uint64_t n, struct board_frame *f)
{
	unsigned int i = n % FRAMES;

	f->data = all->frame[i];
	f->caplen = all->caplen[i];
	f->len = all->caplen[i] + (i % 5 ? 0 : 1000);
	f->ts_ns = i;
	return true;
}

/* IPv4 with TCP, UDP, ICMP and fragments, IPv6, ARP, VLAN tags, and noise. */
static void make_frames(struct filters *f)
{
	for (unsigned int i = 0; i < FRAMES; i++) {
		uint8_t *p = f->frame[i];

		for (unsigned int k = 0; k < LEN; k++)
			p[k] = (uint8_t)random_next(&seed);
		f->caplen[i] = 14 + random_below(&seed, LEN - 14);
		if (i % 6 == 5)
			continue;
		fw_frame(p, i % 4, i % 3 ? 17 : 6, (uint8_t)i);
		p[37] = i % 2 ? 80 : 53;
		if (i % 6 == 1)
			p[23] = 1;
		if (i % 6 == 2)
			p[20] = 0x20;
		if (i % 6 == 3)
			memcpy(p + 12, i & 8 ? "\x81\0\0\x64\x08\0" : "\x86\xdd\x60\0\0\0", 6);
		if (i % 6 == 4)
			memcpy(p + 12, "\x08\x06\0\x01\x08\0", 6);
	}
}

static int setup(void **state)
{
	struct filters *f = calloc(1, sizeof(*f));

	all = f;
	seed = random_seed(1);
	make_frames(f);
	fw_host_start(&f->h);
	assert_int_equal(fw_hello(&f->h), NFP_CHAN_FW_OK);
	f->wire.next = next;
	board_wire(f->h.host->b, 0, &fw_wire_ops, &f->wire);
	assert_int_equal(fw_open(&f->ctl, &f->h, 1, CHAN_ID_FRAMES_CTL, 14), NFP_CHAN_FW_OK);
	end_open(&f->in, &f->h, 0, CHAN_ID_FRAMES, 20);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct filters *f = *state;

	fw_host_stop(&f->h);
	free(f);
	return 0;
}

static void take(struct filters *f)
{
	struct nfp_frames_hdr hdr;
	const uint8_t *data;
	int64_t n;

	ring_flush(&f->in.r);
	ring_arm(&f->in.r);
	host_run(f->h.host);
	while ((n = ring_avail(&f->in.r, &data)) > 0) {
		int64_t at = 0;

		while (at < n) {
			memcpy(&hdr, data + at, sizeof(hdr));
			if (hdr.kind == NFP_FRAMES_START)
				f->answer = hdr;
			else if (hdr.kind == NFP_FRAMES_FRAME)
				f->copied[hdr.ns] = hdr.caplen;
			at += 16 + ((hdr.caplen + 15) & ~15);
		}
		assert_int_equal(at, n);	/* the ring is empty at first, so nothing is cut */
		ring_consume(&f->in.r, (uint64_t)n);
	}
}

static bool answered(void *arg)
{
	struct filters *f = arg;

	take(f);
	return f->answer.ns == f->token;
}

/* Give the card a filter. Return: NFP_FRAMES_*. */
static unsigned int give(struct filters *f, const struct bpf_insn *insns, unsigned int n)
{
	struct {
		struct nfp_frames_req req;
		struct nfp_frames_insn insn[NFP_FRAMES_INSNS];
	} msg = { { NFP_FRAMES_OP_START, LEN, 1, 3, 0, (uint16_t)n, ++f->token }, { { 0 } } };

	for (unsigned int i = 0; i < n; i++)
		msg.insn[i] = (struct nfp_frames_insn){ insns[i].code, insns[i].jt, insns[i].jf,
							insns[i].k };
	fw_send_run(&f->ctl, &msg, (uint32_t)(sizeof(msg.req) + n * sizeof(msg.insn[0])));
	assert_int_equal(host_run_until(f->h.host, answered, f, 20000), 0);
	return f->answer.port;
}

/* Let all frames come, and compare what is copied with what libpcap's interpreter says. */
static unsigned int compare(struct filters *f, const struct bpf_insn *insns)
{
	unsigned int accepted = 0;

	memset(f->copied, 0xff, sizeof(f->copied));
	f->wire.limit += FRAMES;
	host_run(f->h.host);
	take(f);
	for (unsigned int i = 0; i < FRAMES; i++) {
		unsigned int most = bpf_filter(insns, f->frame[i],
					       f->caplen[i] + (i % 5 ? 0 : 1000), f->caplen[i]);

		if (most > f->caplen[i])
			most = f->caplen[i];
		assert_int_equal(f->copied[i], most ? (int)most : -1);
		accepted += !!most;
	}
	return accepted;
}

static void expressions(void **state)
{
	static const char * const text[] = {
		"tcp", "udp port 80", "not ip", "ip6", "arp or icmp", "host 10.0.0.1",
		"src net 10.0.0.0/30 and dst port 53", "vlan 100", "vlan and ip", "len > 200",
		"greater 100 and less 1100", "ip[6:2] & 0x1fff = 0 and udp", "ether multicast",
		"tcp[tcpflags] & (tcp-syn | tcp-fin) != 0", "ether[20:4] % 7 = 3",
		"ip and (ip[2:2] - ((ip[0] & 0xf) << 2)) > 20", "portrange 50-60 or ip[8] / 2 = 32",
	};
	struct filters *f = *state;
	unsigned int accepted = 0;
	pcap_t *p = pcap_open_dead(DLT_EN10MB, LEN);
	struct bpf_program prog;

	for (unsigned int i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		assert_int_equal(pcap_compile(p, &prog, text[i], 1, PCAP_NETMASK_UNKNOWN), 0);
		assert_int_equal(give(f, prog.bf_insns, prog.bf_len), NFP_FRAMES_OK);
		accepted += compare(f, prog.bf_insns);
		pcap_freecode(&prog);
	}
	assert_in_range(accepted, 100, FRAMES * sizeof(text) / sizeof(text[0]) - 100);
	pcap_close(p);
}

static uint32_t operand(void)
{
	static const uint32_t odd[] = { 0x7fffffff, 0x80000000, 0xffffffff, 0xfffff000, 32, 31 };

	switch (random_below(&seed, 8)) {
	case 0:
		return (uint32_t)random_next(&seed);
	case 1:
		return odd[random_below(&seed, 6)];
	default:
		return random_below(&seed, 3) ? random_below(&seed, 16) : random_below(&seed, 140);
	}
}

/* A program after @at instructions that clear the scratch memory, with any opcodes. */
static unsigned int make_program(struct bpf_insn *insns, unsigned int at)
{
	unsigned int n = at + 2 + random_below(&seed, 14);

	for (; at < n; at++)
		insns[at] = (struct bpf_insn){
			.code = random_below(&seed, 30) ? random_below(&seed, 0xb8)
							: (uint16_t)random_next(&seed),
			.jt = (uint8_t)random_below(&seed, n - at + 1),
			.jf = (uint8_t)random_below(&seed, n - at + 1),
			.k = operand(),
		};
	insns[n - 1].code = random_below(&seed, 20) ? BPF_RET | BPF_A : BPF_RET | BPF_K;
	return n;
}

static unsigned int check(const struct bpf_insn *insns, unsigned int n)
{
	unsigned int ret = NFP_FRAMES_OK;

	for (unsigned int i = 0; i < n && !ret; i++)
		ret = cbpf_check(&(struct cbpf){ insns[i].code, insns[i].jt, insns[i].jf,
						 insns[i].k }, n - 1 - i);
	return ret;
}

/* Random instructions, kept if the check accepts them in their place: each program is long. */
static void random_programs(void **state)
{
	struct filters *f = *state;
	struct bpf_insn insns[64] = { { 0 } };
	unsigned int accepted = 0, left = 400, tries = 0;

	for (unsigned int i = 0; i < CBPF_CELLS; i++)
		insns[i] = (struct bpf_insn){ BPF_ST, 0, 0, i };
	while (left) {
		unsigned int n = make_program(insns, CBPF_CELLS);

		assert_true(tries++ < 1000000);
		if (check(insns, n))
			continue;
		assert_true(bpf_validate(insns, (int)n));
		assert_int_equal(give(f, insns, n), NFP_FRAMES_OK);
		accepted += compare(f, insns);
		left--;
	}
	assert_in_range(accepted, 1000, 400 * FRAMES - 1000);
}

static void refused(void **state)
{
	static const struct bpf_insn ret = { BPF_RET | BPF_K, 0, 0, 1 };
	static const struct {
		struct bpf_insn insn;
		unsigned int why;
	} bad[] = {
		{ { 0x1ff, 0, 0, 0 }, NFP_FRAMES_BAD_CODE },
		{ { BPF_LD | BPF_B | BPF_MSH, 0, 0, 0 }, NFP_FRAMES_BAD_CODE },
		{ { BPF_LDX | BPF_H | BPF_ABS, 0, 0, 0 }, NFP_FRAMES_BAD_CODE },
		{ { BPF_LD | 0x18 | BPF_ABS, 0, 0, 0 }, NFP_FRAMES_BAD_CODE },
		{ { BPF_LD | BPF_H | BPF_IMM, 0, 0, 0 }, NFP_FRAMES_BAD_CODE },
		{ { BPF_ALU | 0xb0, 0, 0, 0 }, NFP_FRAMES_BAD_CODE },
		{ { BPF_MISC | 0x40, 0, 0, 0 }, NFP_FRAMES_BAD_CODE },
		{ { BPF_JMP | 0x50, 0, 0, 0 }, NFP_FRAMES_BAD_CODE },
		{ { BPF_JMP | BPF_JEQ, 1, 0, 0 }, NFP_FRAMES_BAD_JUMP },
		{ { BPF_JMP | BPF_JGT | BPF_X, 0, 255, 0 }, NFP_FRAMES_BAD_JUMP },
		{ { BPF_JMP | BPF_JA, 0, 0, 0xffffffff }, NFP_FRAMES_BAD_JUMP },
		{ { BPF_LD | BPF_MEM, 0, 0, 16 }, NFP_FRAMES_BAD_MEM },
		{ { BPF_STX, 0, 0, 0xffffffff }, NFP_FRAMES_BAD_MEM },
		{ { BPF_ALU | BPF_DIV, 0, 0, 0 }, NFP_FRAMES_BAD_CONST },
		{ { BPF_ALU | BPF_LSH, 0, 0, 32 }, NFP_FRAMES_BAD_CONST },
		{ { BPF_LD | BPF_H | BPF_ABS, 0, 0, 0xfffff030 }, NFP_FRAMES_BAD_OFFSET },
	};
	struct filters *f = *state;
	struct bpf_insn insns[2];

	insns[1] = ret;
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		insns[0] = bad[i].insn;
		assert_int_equal(give(f, insns, 2), bad[i].why);
		assert_int_equal(f->answer.len, 0);
	}
	insns[0] = (struct bpf_insn){ BPF_MISC, 0, 0, 0 };
	insns[1] = insns[0];
	assert_int_equal(give(f, insns, 2), NFP_FRAMES_BAD_END);
	assert_int_equal(f->answer.len, 1);
	/* A refused filter copies nothing. */
	memset(f->copied, 0xff, sizeof(f->copied));
	f->wire.limit += FRAMES;
	host_run(f->h.host);
	take(f);
	for (unsigned int i = 0; i < FRAMES; i++)
		assert_int_equal(f->copied[i], -1);
}

#define FILTER(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILTER(expressions),
		FILTER(random_programs),
		FILTER(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
