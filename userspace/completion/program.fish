# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# fish completion for PROGRAM, printed by: PROGRAM completion fish

function __PROGRAM_words
	set -l words (commandline -opc)
	set -l cur (commandline -ct)
	set -l before (string match -r -- '^--[^=]*=' "$cur")
	for line in ($words[1] completion words -- $words[2..] "$cur" 2>/dev/null)
		if not string match -q -- ':files*' $line
			echo $line
			continue
		end
		set -l endings (string escape --style=regex -- (string split ' ' -- $line)[2..])
		set -l wanted '('(string join '|' -- / $endings)')$'
		for file in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$cur"))
			set -l name (string split -f 1 -- \t $file)
			if test (count $endings) = 0; or string match -qr -- $wanted $name
				echo "$before$file"
			end
		end
	end
end
complete -c PROGRAM -f -a '(__PROGRAM_words)'
