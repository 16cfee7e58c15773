// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * nfp-opcodes.c - print microengine instructions with GNU binutils' libopcodes.
 *
 * usage: nfp-opcodes [ctx8]
 *
 * Reads one word in hexadecimal a line and writes one line for it. Registers have the numbers of
 * four-context mode, or with "ctx8" those of eight-context mode. Linked with libopcodes by
 * scripts/setup; objdump cannot be used, since it wants the ELF file of a whole firmware.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bfd.h"
#include "dis-asm.h"

static int styled(void *stream, enum disassembler_style style, const char *fmt, ...)
{
	va_list ap;
	int n;

	(void)style;
	va_start(ap, fmt);
	n = vfprintf(stream, fmt, ap);
	va_end(ap);
	return n;
}

int main(int argc, char **argv)
{
	struct disassemble_info info;
	disassembler_ftype print;
	bfd_byte word[8];
	char line[64];
	int i;

	init_disassemble_info(&info, stdout, (fprintf_ftype)fprintf, styled);
	info.arch = bfd_arch_nfp;
	info.mach = bfd_mach_nfp6000;
	info.disassembler_options = argc == 2 && !strcmp(argv[1], "ctx8") ?
				    "ctx8,no-pc" : "ctx4,no-pc";
	info.buffer = word;
	info.buffer_length = sizeof(word);
	print = disassembler(info.arch, false, info.mach, NULL);
	if (!print)
		return 1;
	while (fgets(line, sizeof(line), stdin)) {
		uint64_t v = strtoull(line, NULL, 16);

		for (i = 0; i < 8; i++)
			word[i] = v >> (8 * i);
		print(0, &info);
		putchar('\n');
	}
	return 0;
}
