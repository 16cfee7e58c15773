#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: board
# fw/nfcc.mk makes an image for each microengine that has a process. Each image has all functions
# that its contexts need, and no entry of another image.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/tap.sh
dir=$(mktemp -d build/images.XXXXXX)
trap 'rm -rf "$dir"' EXIT

# images FIRMWARE FOLDER-OF-APPS...: check the images of a firmware that is built for this machine
images() {
	local objects=build/host/obj/$1 dir=$dir/$1 chanfiles=() name sources link s missing entries

	shift
	mkdir "$dir"
	for s; do chanfiles+=("$s"/*.chan); done
	scripts/chantab --images "${chanfiles[@]}" >"$dir/images"
	scripts/chantab --out "$dir/gen" "${chanfiles[@]}"
	make -n -f fw/nfcc.mk O="$dir/o" APPS="${2:-}" | sed -n 's/.*-Fe[^ ]*\/\(i[^ ]*\)\.list /\1 /p' >"$dir/makes"
	same "fw/nfcc.mk makes the images of the table of $*" "$(cut -d' ' -f1 "$dir/makes" | sort)" \
		"$(cut -d' ' -f1 "$dir/images" | sort)"

	# There is one instance of exported memory for the card, so an image may use another image's.
	find "$objects" -name '*.o' ! -path '*/gen/*' -exec nm {} + | awk '$2 ~ /[BbDd]/ { print $3 }' |
		sort -u >"$dir/memory"
	nm build/host/obj/fw/emu/hal/*.o | awk '$2 == "T" { print $3 }' | sort -u >"$dir/hal"

	while read -r name sources; do
		link=()
		for s in $sources; do
			case $s in
			*/gen/chan_table.c) link+=("$objects/gen/chan_table.o") ;;
			*/gen/*) cc -std=gnu89 -Wall -Werror -Ifw/emu/hal -c "$dir/gen/$name.c" -o "$dir/$name.main.o"
				link+=("$dir/$name.main.o") ;;
			*) link+=("$objects/${s%.c}.o") ;;
			esac
		done
		ld -r -o "$dir/$name.o" "${link[@]}" 2>"$dir/err"
		ok $? "$name: its sources link" "$(cat "$dir/err")"
		missing=$(nm -u "$dir/$name.o" | awk '{ print $2 }' | grep -vxFf "$dir/hal" |
			grep -vxFf "$dir/memory" | grep -vxE 'mem(cpy|move|set|cmp)|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_')
		ok "$([ -z "$missing" ]; echo $?)" "$name: no function is missing" "$missing"
		read -r _ entries < <(grep "^$name " "$dir/images")
		same "$name: main() calls exactly its contexts" "$(nm -u "$dir/$name.main.o" | grep -o '[a-z0-9_]*_main$' | sort | tr '\n' ' ')" \
			"$(tr ' ' '\n' <<<"$entries" | sort | tr '\n' ' ')"
	done <"$dir/makes"
}

images firmware fw/apps
images firmware-test fw/apps selftests/fw/apps
done_testing
