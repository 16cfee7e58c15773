# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# shellcheck shell=bash
# bash completion for PROGRAM, printed by: PROGRAM completion bash

_PROGRAM_files() { # PART ENDING...
	local part=$1 IFS='|'

	shift
	if [ $# = 0 ]; then
		compgen -f -- "$part"
	else
		compgen -f -X "!*@($*)" -- "$part"
		compgen -d -- "$part"
	fi
}

# bash takes ":" and "=" for ends of words, and replaces what is behind them alone. Here words are
# what is between blanks, and what bash does not replace is cut off.
_PROGRAM() {
	local line=${COMP_LINE:0:COMP_POINT} words cur kept="" value file endings

	COMPREPLY=()
	read -ra words <<<"$line"
	[[ $line != *[[:blank:]] ]] || words+=("")
	cur=${words[-1]}
	[[ $COMP_WORDBREAKS != *:* || $COMP_WORDBREAKS != *=* ]] || kept=${cur%"${cur##*[:=]}"}
	while IFS=$'\t' read -r value _; do
		case $value in
		:files*)
			read -ra endings <<<"${value#:files}"
			[[ $cur != --*=* ]] || cur=${cur#*=}
			compopt -o filenames 2>/dev/null
			while read -r file; do
				COMPREPLY+=("$file")
			done < <(_PROGRAM_files "$cur" "${endings[@]}") ;;
		*) COMPREPLY+=("${value#"$kept"}") ;;
		esac
	done < <("$1" completion words -- "${words[@]:1}" 2>/dev/null)
}
complete -F _PROGRAM PROGRAM
