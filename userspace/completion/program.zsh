#compdef -p PROGRAM
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# zsh completion for PROGRAM, printed by: PROGRAM completion zsh

_PROGRAM() {
	local line value what files
	local -a values globs

	# Of two files for a command, compinit may keep the other one: _nedit for ncl. A pattern, "-p",
	# comes before it, and this keeps it from being called as well.
	_compskip=all
	for line in ${(f)"$(${~words[1]} completion words -- "${(@Q)words[2,CURRENT-1]}" \
			"${(Q)PREFIX}" 2>/dev/null)"}; do
		if [[ $line == :files* ]]; then
			files=1 globs=('*'${^=${line#:files}# })
		else
			value=${line%%$'\t'*} what=${line#*$'\t'}
			values+=("${value//:/\\:}${what:+:$what}")
		fi
	done
	(( ! $#values )) || _describe -t values PROGRAM values
	[[ -n $files ]] || return 0
	[[ $PREFIX != --*=* ]] || compset -P '*='
	if [[ $globs != '*' ]]; then
		_files -g "$globs"
	else
		_files
	fi
}

# compinit calls this file as the function. Sourced, it is not yet known to compinit.
if [[ $funcstack[1] == _PROGRAM ]]; then
	_PROGRAM "$@"
else
	compdef _PROGRAM PROGRAM
fi
