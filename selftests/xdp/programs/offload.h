/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * offload.h - an object file of one of these programs, loaded for a netdev of the card.
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

/* Opened, to be loaded for @ifindex (0: the host); NULL: errno says why not. */
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

/* Event maps are the kernel's, whoever writes to them: they stay here. */
static inline void offload_maps(struct bpf_object *obj, unsigned int ifindex)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, obj)
		if (bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			bpf_map__set_ifindex(map, ifindex);
}

/*
 * The driver's last line of a verifier's log, or else the last one that is no statistics;
 * NULL: there is none. The log is cut into lines.
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

/* Return: the map's id; 0: errno says why there is none. */
static inline uint32_t offload_map_id(const struct bpf_object *obj, const char *name)
{
	struct bpf_map_info map = { 0 };
	uint32_t len = sizeof(map);
	int fd = bpf_object__find_map_fd_by_name(obj, name);

	return bpf_map_get_info_by_fd(fd, &map, &len) ? 0 : map.id;
}

/* Return: the program's id; 0: errno says why there is none. */
static inline uint32_t offload_prog_id(const struct bpf_object *obj)
{
	struct bpf_prog_info prog = { 0 };
	uint32_t len = sizeof(prog);

	return bpf_prog_get_info_by_fd(offload_prog(obj), &prog, &len) ? 0 : prog.id;
}

/* Does the kernel have a program of this id? */
static inline bool prog_exists(uint32_t id)
{
	int fd = bpf_prog_get_fd_by_id(id);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Of the first netdev of the first card; 0: there is none. */
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
