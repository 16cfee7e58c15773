#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Streams, many messages at a time, and select.
exec build/guest/test/stream_api
