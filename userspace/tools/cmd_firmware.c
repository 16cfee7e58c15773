// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_firmware.c - nfpchan firmware: commands for the card's firmware files. */
#include <stddef.h>
#include "tool.h"

static const struct command commands[] = {
	{ "firmware show", "[FILE]", "say what a firmware file offers, and what it has",
	  "  -d, --dev DEV       the file that the driver loads onto this interface's card\n"
	  "  -s, --symbols       print the run-time symbols (with --json always)\n",
	  "/lib/firmware/netronome/bpf/nic_AMDA0099-0001_2x25.nffw", cmd_firmware_show },
	{ .name = NULL },
};

int cmd_firmware(const struct command *cmd, int argc, char **argv)
{
	return command_group(cmd, commands, "Firmware files of the card (.nffw).", argc, argv);
}
