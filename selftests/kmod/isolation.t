#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# A process has no access to another process's pages, files, messages and exclusive channels.
exec build/guest/test/isolation
