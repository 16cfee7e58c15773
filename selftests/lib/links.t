#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot:
# Links through the library.
exec build/guest/test/lib_link
