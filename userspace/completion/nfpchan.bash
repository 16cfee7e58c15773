# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# shellcheck shell=bash
# Bash completion for nfpchan: commands, options, channels of the first card

_nfpchan() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local commands="list info stats send recv signal link flows capture replay extcap graph xdp firmware help"
	local options="--card --json --help" words="" cmd="" files="" i

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-c | --card) i=$((i + 1)) ;;
		-*) ;;
		*) cmd=${COMP_WORDS[i]}; break ;;
		esac
	done
	case $prev in
	-c | --card)
		words=$(shopt -s nullglob; echo /dev/nfp_chan*; for i in /sys/class/net/*; do
			[[ $(readlink "$i/device/driver") != */nfp ]] || echo "bpf:${i##*/}"
		done)
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return ;;
	-C | --channel)
		words=$(nfpchan list 2>/dev/null | awk '/ xdp/ { print $1 }')
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return ;;
	-w | --write | -d | --dd)
		[ "$cmd" != capture ] || { mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return; } ;;&
	-d | --dev) mapfile -t COMPREPLY < <(compgen -W "$(ls /sys/class/net)" -- "$cur"); return ;;
	-f | --file) [ "$cmd" != send ] || { mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return; } ;;
	-F | --firmware)
		mapfile -t COMPREPLY < <(compgen -f -W "public full" -- "$cur")
		return ;;
	-H | --helpers)
		local list="lookup update delete event adjust_head adjust_tail random queue"
		[[ $cur != *,* ]] || words=${cur%,*},
		mapfile -t COMPREPLY < <(compgen -P "$words" -W "$list" -- "${cur##*,}")
		return ;;
	-n | --count | -i | --interval | -w | --words | -t | --timeout | -q | --quiet | -p | --prog | -m | --map | -e | \
		--entry | -S | --slot | --sample | --port | -s | --snap | --speed) return ;;
	esac
	case $prev in
	-K | --carrier) mapfile -t COMPREPLY < <(compgen -W "ethertype queue" -- "$cur"); return ;;
	-o | --host | -M | --split-map | -E | --ethertypes) [ "$cmd" != xdp ] || return ;;
	esac
	case $cmd in
	"") words=$commands options+=" --version" ;;
	help) words=$commands ;;
	send) options+=" --file --hex --count --timeout" ;;
	recv) options+=" --count --timeout --hex --raw" ;;
	link) options+=" --interval --command --state" ;;
	flows) options+=" --flush --quiet --count --follow" ;;
	capture) options+=" --write --snap --count --port --sample --dd" ;;
	extcap)
		options+=" --extcap-interfaces --extcap-version --extcap-interface --extcap-dlts --extcap-config"
		options+=" --extcap-capture-filter --capture --fifo --port --snap --sample" ;;
	replay)
		options+=" --port --speed --as-fast-as-possible"
		[[ $cur == -* ]] || { mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return; } ;;
	graph)
		words="check load show stats unload"
		case " ${COMP_WORDS[*]:i + 1:COMP_CWORD - i - 1} " in
		*" check "*) words='' files=1 ;;
		*" load "*) options+=" --foreground" words='' files=1 ;;
		*" show "* | *" stats "* | *" unload "*)
			[[ " ${COMP_WORDS[*]} " != *" show "* ]] || options+=" --dot --interval" files=1
			words=$(shopt -s nullglob; for i in /run/nfpchan/*.graph; do
				i=${i##*/}; echo "${i%.graph}"
			done) ;;
		esac ;;
	firmware)
		words=show
		[[ " ${COMP_WORDS[*]} " != *" show "* ]] || options+=" --dev --symbols" files=1
		if [[ $files && $cur != -* ]]; then
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi ;;
	xdp)
		words="explain link map run replace watch"
		case " ${COMP_WORDS[*]:i + 1:COMP_CWORD - i - 1} " in
		*" explain "*)
			options+=" --dev --firmware --helpers --words --strict --split --host --split-map --carrier"
			options+=" --ethertypes --entry --slot --loop" files=1 ;;
		*" link "*) options+=" --output --entry --slot --loop --firmware --words --native" files=1 ;;
		*" run "*)
			options+=" --dev --prog --map --channel --count"
			options+=" --link --entry --slot --loop --firmware --words --split --host --strict --split-map"
			options+=" --carrier --ethertypes" files=1 ;;
		*" map "*) options+=" --dev" words=dump ;;
		*" replace "*) options+=" --dev --prog --link --entry --slot --loop --firmware --words" files=1 ;;
		*" watch "*) options+=" --dev --map --channel --count" words="" ;;
		esac
		if [[ $files && $cur != -* ]]; then
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi ;;
	esac
	case $cmd in
	info | stats | send | recv | signal | link)
		words=$(nfpchan list 2>/dev/null | awk 'NR > 1 { print $1 }') ;;
	esac
	[[ $cur != -* ]] || words=$options
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _nfpchan nfpchan
