// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_firmware.c - nfpchan firmware: commands for the card's firmware files. */
#include <stddef.h>
#include "tool.h"

static const struct command commands[] = {
	{ "firmware show", "[FILE]", "say what a firmware file offers, and what it has",
	  "  -d, --dev DEV       the file that the driver loads onto this interface's card\n"
	  "  -s, --symbols       print the run-time symbols (with --json always)\n",
	  "/lib/firmware/netronome/bpf/nic_AMDA0099-0001_2x25.nffw", cmd_firmware_show },
	{ "firmware list", "FILE", "list the memory that the sections of a firmware file take",
	  "  -u, --unused        print the unused parts of EMEM instead\n",
	  "--unused /lib/firmware/netronome/bpf/nic_AMDA0099-0001_2x25.nffw", cmd_firmware_list },
	{ "firmware verify", "FILE", "check a firmware file: layout, code, memory, symbols, workers",
	  "  -b, --base FILE     print the sections that differ from this file as well\n",
	  "/lib/firmware/netronome/bpf/nic_AMDA0099-0001_2x25.nffw", cmd_firmware_verify },
	{ "firmware graft", "[OBJECT]...", "put code into a copy of the vendor's BPF firmware file",
	  "  -b, --base FILE     the vendor's file\n"
	  "  -o, --output FILE   the new file\n"
	  "  -i, --idle iN.meM   give this worker up for code that does nothing; may be repeated\n",
	  "--base nic_AMDA0099-0001_2x25.nffw --idle i36.me8 --output idle.nffw", cmd_firmware_graft },
	{ "firmware dump", "FILE [SYMBOL]", "print symbols that ethtool -w has read from the card",
	  "  -r, --raw           write the bytes of SYMBOL only\n",
	  "dump.bin hello", cmd_firmware_dump },
	{ .name = NULL },
};

int cmd_firmware(const struct command *cmd, int argc, char **argv)
{
	return command_group(cmd, commands, "Firmware files of the card (.nffw).", argc, argv);
}
