# shellcheck shell=sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The fuzzer of calls (selftests/fuzz/calls) as most tests of it start it, with OPTIONs of
# their own, and of SEED (2): for chan.t. Sourced.
random_calls() { # OPTION...
	echo "chan_fuzz --corpus selftests/fuzz/calls/corpus --seed ${SEED:-2} --detach 50 $*"
}

# Who writes to the control page of a pipe of his may have it armed without the card.
export CHAN_KNOWN='an interrupt did not come'

# What a crash of the kernel was running is there afterwards.
# shellcheck disable=SC2034
keep_calls='--trace build/vm/fuzz-calls'
