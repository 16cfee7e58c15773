/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * offload.h - load the object file of one of these programs for a netdev of the card.
 */
#ifndef OFFLOAD_H
#define OFFLOAD_H

#include <errno.h>
#include <glob.h>
#include <net/if.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#define OFFLOAD_HOOK	"build/guest/xdp/hook.o"

/* Open an object to load it for @ifindex, 0 for the host. Return NULL and set errno on failure. */
static inline struct bpf_object *offload_open(const char *path, unsigned int ifindex)
{
	struct bpf_object *obj = bpf_object__open_file(path, NULL);

	if (obj)
		bpf_program__set_ifindex(bpf_object__next_program(obj, NULL), ifindex);
	return obj;
}

static inline struct bpf_object *offload_load(const char *path, unsigned int ifindex)
{
	struct bpf_object *obj = offload_open(path, ifindex);
	int err;

	if (!obj || !bpf_object__load(obj))
		return obj;
	err = errno;
	bpf_object__close(obj);
	errno = err;
	return NULL;
}

/* Offload all maps except perf event arrays: these stay in the kernel. */
static inline void offload_maps(struct bpf_object *obj, unsigned int ifindex)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, obj)
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			bpf_map__set_ifindex(map, ifindex);
}

/*
 * Return the driver's last line in a verifier log, or the last line that is no statistics, or
 * NULL. This cuts the log into lines.
 */
static inline const char *offload_said(char *log)
{
	const char *nfp = NULL, *last = NULL;
	char *line, *save;

	for (line = strtok_r(log, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "[nfp] ", 6))
			nfp = line;
		else if (strncmp(line, "processed ", 10) && strncmp(line, "stack depth", 11) &&
			 strncmp(line, "verification time", 17))
			last = line;
	}
	return nfp ? nfp : last;
}

static inline int offload_prog(const struct bpf_object *obj)
{
	return bpf_program__fd(bpf_object__next_program(obj, NULL));
}

/* Return the id of a map, or 0 and set errno. */
static inline uint32_t offload_map_id(const struct bpf_object *obj, const char *name)
{
	struct bpf_map_info map = { 0 };
	uint32_t len = sizeof(map);
	int fd = bpf_object__find_map_fd_by_name(obj, name);

	return bpf_map_get_info_by_fd(fd, &map, &len) ? 0 : map.id;
}

/* Return the id of the program, or 0 and set errno. */
static inline uint32_t offload_prog_id(const struct bpf_object *obj)
{
	struct bpf_prog_info prog = { 0 };
	uint32_t len = sizeof(prog);

	return bpf_prog_get_info_by_fd(offload_prog(obj), &prog, &len) ? 0 : prog.id;
}

/* Whether the kernel has a program with this id. */
static inline bool prog_exists(uint32_t id)
{
	int fd = bpf_prog_get_fd_by_id(id);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Return the ifindex of the first netdev of the first card, or 0. */
static inline unsigned int offload_ifindex(void)
{
	unsigned int index = 0;
	glob_t g = { 0 };

	if (!glob("/sys/class/nfp_chan/nfp_chan0/device/net/*", 0, NULL, &g))
		index = if_nametoindex(strrchr(g.gl_pathv[0], '/') + 1);
	globfree(&g);
	return index;
}

#endif /* OFFLOAD_H */
