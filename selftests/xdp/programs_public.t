#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# programs.t with the public firmware: the programs that do not update or delete entries of maps do
# on this card what they do on the host, packet by packet.
cd "$(dirname "$0")" || exit 1
FIRMWARE=public exec ./programs.t
