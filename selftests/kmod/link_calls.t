#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Links within a card, by ioctl. About 300000 messages go from ME process to ME process, and the
# card counts all of them. Only messages that the host reads or writes cross PCIe. The test unbinds
# nfp and ends an ME process, so no other test shares its VM.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
card_vm -- bash -c '. selftests/rig/tap.sh
	trace=/sys/kernel/tracing
	echo 1 >$trace/events/nfp_chan/nfp_chan_command/enable
	subtest link_api build/guest/test/link_api
	same "the trace names each command" \
		"$(grep -o "nfp_chan0 [^ ]*" $trace/trace | cut -d " " -f 2 | sort -u | xargs)" \
		"CLOSE LINK OPEN UNLINK"
	subtest link_end build/guest/test/link_end
	done_testing' || exit
card_counts --say 'TLPs of messages: {tlp.data.dev_posted}, of records: {tlp.note.dev_posted}' \
	'tlp.data.dev_posted + tlp.data.dev_nonposted < 15000' 'tlp.note.dev_posted < 500'
