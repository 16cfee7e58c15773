// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* filter.c - the filter of a capture: compile an expression, or read what tcpdump -dd prints. */
#include <endian.h>
#include <errno.h>
#include <frames_check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef NFPCHAN_LIBPCAP
#include <pcap/pcap.h>
#endif
#include "../tool.h"
#include "session.h"

/* Add an instruction. Returns false, with the reason printed, if there are too many. */
static bool add(struct frames_filter *f, const struct cbpf *i)
{
	if (f->insns == NFP_FRAMES_INSNS)
		return !tool_fail("filter \"%s\": more than %d instructions, the card takes no more",
				  f->text, NFP_FRAMES_INSNS);
	f->insn[f->insns++] = (struct nfp_frames_insn){
		.code = htole16(i->code),
		.jt = i->jt,
		.jf = i->jf,
		.k = htole32(i->k),
	};
	return true;
}

/* The card makes the same check. */
static int check(const struct frames_filter *f)
{
	unsigned int n;
	char why[160];

	for (n = 0; n < f->insns; n++) {
		const struct nfp_frames_insn *i = &f->insn[n];
		struct cbpf insn = { le16toh(i->code), i->jt, i->jf, le32toh(i->k) };
		struct nfp_frames_hdr hdr = { .len = htole32(n) };

		hdr.port = (uint8_t)cbpf_check(&insn, f->insns - 1 - n);
		if (hdr.port != NFP_FRAMES_OK)
			return tool_fail("filter \"%s\": %s", f->text,
					 frames_refusal(&hdr, why, sizeof(why)));
	}
	return 0;
}

/* Read the lines "{ 0x28, 0, 0, 0x0000000c }," that tcpdump -dd prints. */
static int read_dd(struct frames_filter *f, const char *path)
{
	FILE *in = fopen(path, "re");
	unsigned int line = 0;
	char text[128];
	bool ok = true;

	if (!in)
		return tool_fail("%s: %s", path, strerror(errno));
	while (ok && fgets(text, sizeof(text), in)) {
		unsigned int code, jt, jf;
		struct cbpf i;
		char end[2];
		uint32_t k;

		line++;
		if (text[strspn(text, " \t\r\n")] == '\0')
			continue;
		if (sscanf(text, " { %x , %u , %u , %" SCNx32 " %1[}]", &code, &jt, &jf, &k,
			   end) != 5 || code > UINT16_MAX || jt > UINT8_MAX || jf > UINT8_MAX) {
			tool_fail("%s:%u: no instruction as tcpdump -dd prints them", path, line);
			ok = false;
			break;
		}
		i = (struct cbpf){ (uint16_t)code, (uint8_t)jt, (uint8_t)jf, k };
		ok = add(f, &i);
	}
	if (ok && !f->insns)
		ok = !tool_fail("%s: no instruction in the file", path);
	fclose(in);
	return ok ? check(f) : EXIT_FAILURE;
}

#ifdef NFPCHAN_LIBPCAP
static int compile(struct frames_filter *f, uint32_t snap)
{
	pcap_t *p = pcap_open_dead(DLT_EN10MB, (int)snap);
	struct bpf_program prog;
	unsigned int n;
	bool ok = true;

	if (!p)
		return tool_fail("out of memory");
	if (pcap_compile(p, &prog, f->text, 1, PCAP_NETMASK_UNKNOWN)) {
		tool_fail("filter \"%s\": %s", f->text, pcap_geterr(p));
		pcap_close(p);
		return EXIT_FAILURE;
	}
	for (n = 0; ok && n < prog.bf_len; n++) {
		const struct bpf_insn *b = &prog.bf_insns[n];
		struct cbpf i = { b->code, b->jt, b->jf, b->k };

		ok = add(f, &i);
	}
	pcap_freecode(&prog);
	pcap_close(p);
	return ok ? check(f) : EXIT_FAILURE;
}
#else
static int compile(struct frames_filter *f, uint32_t snap)
{
	(void)snap;
	return tool_fail("filter \"%s\": this nfpchan was built without libpcap, so give a file that tcpdump -dd has made: --dd FILE",
			 f->text);
}
#endif

int filter_make(struct frames_filter *f, char **words, int count, const char *dd, uint32_t snap)
{
	size_t used = 0;
	int i;

	f->insns = 0;
	f->text[0] = '\0';
	if (dd) {
		snprintf(f->text, sizeof(f->text), "%s", dd);
		return read_dd(f, dd);
	}
	for (i = 0; i < count; i++) {
		int n = snprintf(f->text + used, sizeof(f->text) - used, "%s%s", i ? " " : "",
				 words[i]);

		if (n < 0 || (size_t)n >= sizeof(f->text) - used)
			return tool_fail("filter: more than %zu characters", sizeof(f->text) - 1);
		used += (size_t)n;
	}
	return f->text[strspn(f->text, " ")] ? compile(f, snap) : 0;
}
