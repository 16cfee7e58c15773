/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bpf_sys.h - calls of bpf(2), and a netlink query for the program of an interface. */
#ifndef NFPCHAN_BPF_SYS_H
#define NFPCHAN_BPF_SYS_H

#include <linux/bpf.h>
#include <stdint.h>

/* Each returns -errno after a failure. Descriptors are close-on-exec. */
int bpf_prog_fd(uint32_t id);
int bpf_map_fd(uint32_t id);
int bpf_prog_info(int fd, struct bpf_prog_info *info);
int bpf_map_info(int fd, struct bpf_map_info *info);
int bpf_btf_fd(uint32_t id);
int bpf_btf_info(int fd, struct bpf_btf_info *info);
int bpf_lookup(int fd, const void *key, void *value);
int bpf_update(int fd, const void *key, const void *value, uint64_t flags);
int bpf_delete(int fd, const void *key);

/* bpf_update() without signals: one would end the driver's wait, although the card goes on. */
int bpf_update_whole(int fd, const void *key, const void *value, uint64_t flags);
int bpf_netlink(void);

/* Make an array with one value: @ifindex 0: on the host; else in the card of @ifindex. */
int bpf_map_new(uint32_t value_size, int ifindex);

/* Load a raw tracepoint program on the host, and run it on a CPU. */
int bpf_prog_load_raw(const struct bpf_insn *insn, uint32_t count, const char *license);
int bpf_prog_run_on(int fd, unsigned int cpu);

/* The id of the program that @ifindex has in hardware, 0 for none, or -errno. */
int64_t bpf_attached(int netlink, int ifindex);

/* A descriptor of that program; -ENOENT: there is none; or another -errno. */
int bpf_attached_fd(int ifindex);

/* The number of the wire port that @ifindex is, 0 if that is not known. */
uint8_t bpf_port(int netlink, int ifindex);

#endif /* NFPCHAN_BPF_SYS_H */
