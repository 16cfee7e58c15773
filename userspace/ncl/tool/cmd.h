/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* cmd.h - the commands of ncl. */
#ifndef NCL_CMD_H
#define NCL_CMD_H

#include "command.h"
#include "complete.h"

extern const struct value_kind ncl_kinds[];

int cmd_deploy(const struct command *cmd, int argc, char **argv);
int cmd_serve(const struct command *cmd, int argc, char **argv);
int cmd_show(const struct command *cmd, int argc, char **argv);
int cmd_undo(const struct command *cmd, int argc, char **argv);

#endif /* NCL_CMD_H */
