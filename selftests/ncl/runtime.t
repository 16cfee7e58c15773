#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# boot: --root ncl --board ports=cable
# libncrt with a program of nclc at a card, at generic XDP, and in C++ at native XDP.
exec selftests/ncl/guest/runtime.sh
