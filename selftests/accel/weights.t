#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host ncl
# build: -
# NumPy, with the classifier's weights, gives all images the classes that the files in the tree have.
echo 1..1
if said=$(scripts/in-root --ro-tree --ncl -- fw/emu/accel/train_digits.py --check 2>&1); then
	echo "ok 1 - weights and images are as train_digits.py has them"
else
	echo "not ok 1 - weights and images are as train_digits.py has them"
fi
echo "$said" | sed 's/^/# /'
