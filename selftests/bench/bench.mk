# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Benchmarks and their plots
.PHONY: bench plots bench-tcp bench-xdp bench-split bench-frames bench-ncl bench-chain

##@ Measure
## bench: all benchmarks in one run, as a table (5 min; BENCH_JSON=FILE, BENCH_ARGS=)
BENCH_JSON ?= build/bench.json
bench: setup
	+@$(MAKE_IN) host
	@scripts/in-root -- $(MAKE) -s O=build/guest build/guest/test/lang_go || true
	@scripts/bench --json "$(BENCH_JSON)" $(BENCH_ARGS)

## plots: PNG plots of what bench has measured (BENCH_JSON=FILE), in build/plots
plots:
	@[ -s "$(BENCH_JSON)" ] || $(MAKE) --no-print-directory bench BENCH_JSON="$(BENCH_JSON)"
	@scripts/bench-plots "$(BENCH_JSON)"

## bench-xdp: a million events of an XDP program, by the stock driver and by a channel (3 min)
## bench-split: a firewall natively on the host, and with its first programs on the card (3 min)
## bench-tcp: TCP between the card's ports, compared with QEMU's e1000e (3 min)
## bench-frames: frames captured by nfpchan capture, and by tcpdump at the netdev (3 min)
BENCH_xdp := xdp_events
BENCH_split := xdp_split
bench-xdp bench-split bench-tcp bench-frames: bench-%: vm-deps
	@PYTHONPATH=selftests/rig NFPCHAN_NO_BUILD=1 selftests/bench/$(or $(BENCH_$*),$*) $(BENCH_ARGS)

## bench-ncl: NCL's compiler, AllReduce compared with Open MPI and a server, a cache (5 min; BENCH_ARGS=--help)
bench-ncl: ROOT = ncl
bench-ncl: vm-deps
	@scripts/in-root --ncl -- $(IN_ROOT) O=build/ncl ncl-bench
	@PYTHONPATH=selftests/rig NFPCHAN_NO_BUILD=1 selftests/bench/ncl/measure $(BENCH_ARGS)

## bench-chain: streams between devices, with and without the CPU (BENCH_JSON=FILE)
CHAIN_JSON = $(if $(filter file,$(origin BENCH_JSON)),build/bench-chain.json,$(BENCH_JSON))
bench-chain:
	+@$(MAKE_IN) O=build/host fabric build/host/bench/chain_oncard
	@selftests/bench/chain --json "$(CHAIN_JSON)" $(BENCH_ARGS)
