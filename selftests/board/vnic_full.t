#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly
# The data path of the vNICs with firmware "full": vnic.t has the public firmware. The features
# that only this firmware has are tested here: VLAN offloads, Toeplitz hashes, flags of checksums.
cd "$(dirname "$0")" || exit 1
FIRMWARE=full exec ./vnic.t
