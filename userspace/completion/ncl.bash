# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# shellcheck shell=bash
# Bash completion for ncl: commands, options, interfaces, deployed programs

_ncl() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local cmd="" words="" options="--help"

	[ "$COMP_CWORD" -lt 2 ] || cmd=${COMP_WORDS[1]}
	# Bash splits words at "=" and ":".
	if [[ $cmd = deploy && ( $prev = '=' || $cur = '=' ) ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(ls /sys/class/net)" -- "${cur#=}")
		return
	elif [[ $cmd = deploy && ( $prev = ':' || $cur = ':' ) ]]; then
		mapfile -t COMPREPLY < <(compgen -W "offload native generic" -- "${cur#:}")
		return
	fi
	if [[ $cmd = serve && ( $prev = -a || $prev = --allow ) ]]; then
		words=$(for f in "${COMP_WORDS[@]}"; do
			[[ $f != *.and ]] || sed -n 's/^host *\([^ ]*\).*/\1/p' "$f" 2>/dev/null
		done)
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return
	fi
	case $prev in -m | --map | -M | --mac | -t | --timeout) [ "$cmd" != deploy ] || return ;; esac
	case $cmd in
	"") words="deploy serve show undo help" options+=" --version" ;;
	help) words="deploy serve show undo help" ;;
	deploy)
		options+=" --map --mac --timeout --replace"
		if [[ $cur != -* ]]; then
			mapfile -t COMPREPLY < <(compgen -f -X '!*.@(ncd|and)' -- "$cur"; compgen -d -- "$cur")
			return
		fi ;;
	show | undo | serve)
		case $cmd in
		show) options+=" --values --json" ;;
		serve)
			options+=" --allow"
			if [ "$COMP_CWORD" -gt 2 ] && [[ $cur != -* ]]; then
				mapfile -t COMPREPLY < <(compgen -f -X '!*.and' -- "$cur"; compgen -d -- "$cur")
				return
			fi ;;
		esac
		words=$(for f in /run/ncl/*.*; do f=${f##*/}; echo "${f%.*}"; done | sort -u)
		if [ "$cmd" = undo ] && [ "$COMP_CWORD" -gt 2 ]; then
			words=$(for f in "/run/ncl/${COMP_WORDS[2]}".*; do echo "${f##*.}"; done | grep -v "~")
		fi ;;
	esac
	[[ $cur != -* ]] || words=$options
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _ncl ncl
