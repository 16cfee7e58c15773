// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bpf_perf.c - perf rings, one for each CPU, in the slots of a perf event array. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "bpf.h"

#define NSEC_PER_SEC	1000000000ull
/* Bytes before the program's: PERF_SAMPLE_TIME (8), and the length of PERF_SAMPLE_RAW (4) */
#define SAMPLE_HEAD	(sizeof(struct perf_event_header) + 12)

static int fail(struct ring_err *err, int code, const char *fmt, unsigned long long a)
{
	*err = (struct ring_err){ code, fmt, { a, (unsigned long long)-code, 0 } };
	return code;
}

static uint64_t now_of(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* ---- one ring ---- */

static int cpu_event(unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_BPF_OUTPUT, .sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
		.wakeup_events = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
	};
	int fd = (int)syscall(__NR_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static int cpu_start(struct perf *p, unsigned int cpu, int epoll, struct ring_err *err)
{
	struct epoll_event ev = { .events = EPOLLIN };
	struct perf_cpu *c = &p->cpu[cpu];
	size_t page = page_size();
	int ret;

	c->fd = cpu_event(cpu);
	if (c->fd == -ENODEV)	/* the CPU does not exist, or is offline */
		return 0;
	if (c->fd < 0)
		return fail(err, c->fd, c->fd == -EACCES || c->fd == -EPERM ?
			    "no perf event on CPU %llu: CAP_PERFMON is needed" :
			    "no perf event on CPU %llu: error %llu", cpu);
	c->page = mmap(NULL, page + p->size, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
	if (c->page == MAP_FAILED) {
		c->page = NULL;
		return fail(err, -errno, "no ring of %llu bytes of perf events (/proc/sys/kernel/perf_event_mlock_kb): error %llu",
			    p->size);
	}
	c->data = (uint8_t *)c->page + page;
	ret = bpf_update(p->map_fd, &cpu, &c->fd, BPF_ANY);
	if (ret)
		return fail(err, ret, ret == -E2BIG ?
			    "the map has no slot for CPU %llu: give it as many entries as there are CPUs" :
			    "slot %llu of the map cannot be set: error %llu", cpu);
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &ev))
		return fail(err, -errno, "the perf event of CPU %llu cannot be polled: error %llu", cpu);
	return 0;
}

static uint64_t cpu_head(const struct perf_cpu *c)
{
	const struct perf_event_mmap_page *page = c->page;

	return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}

/* Records are multiples of 8 bytes, so a header does not wrap. */
static const struct perf_event_header *cpu_record(const struct perf *p, const struct perf_cpu *c,
						  uint64_t at)
{
	return (const void *)(c->data + (at & (p->size - 1)));
}

static void cpu_copy(const struct perf *p, const struct perf_cpu *c, uint64_t at, void *to,
		     uint32_t len)
{
	uint32_t off = at & (p->size - 1), part = p->size - off;

	part = part < len ? part : len;
	memcpy(to, c->data + off, part);
	memcpy((uint8_t *)to + part, c->data, len - part);
}

static void cpu_take(const struct perf *p, struct perf_cpu *c)
{
	struct perf_event_mmap_page *page = c->page;

	c->at += cpu_record(p, c, c->at)->size;
	__atomic_store_n(&page->data_tail, c->at, __ATOMIC_RELEASE);
}

/* Show the next record of the program. Skip other records, and count lost ones. */
static bool cpu_next(const struct perf *p, struct perf_cpu *c, struct perf_event *e, uint64_t *lost)
{
	const struct perf_event_header *h;
	uint64_t n[2];

	while (c->at != cpu_head(c)) {
		h = cpu_record(p, c, c->at);
		if (h->type == PERF_RECORD_SAMPLE) {
			cpu_copy(p, c, c->at + sizeof(*h), &e->time, sizeof(e->time));
			cpu_copy(p, c, c->at + sizeof(*h) + 8, &e->len, sizeof(e->len));
			e->time += p->epoch;
			return true;
		}
		if (h->type == PERF_RECORD_LOST) {
			cpu_copy(p, c, c->at + sizeof(*h), n, sizeof(n));
			*lost += n[1];
		}
		cpu_take(p, c);
	}
	return false;
}

/* ---- are our events in the slots? ---- */

/* What the probe found in the slot of its CPU: an error, and for how long the event is enabled */
struct probe_answer {
	int64_t err;
	uint64_t enabled;
};

static int probe_load(struct perf *p)
{
	static const char license[] = "Dual BSD/GPL";
	const struct bpf_insn insn[] = {
		/* bpf_perf_event_read_value(map, BPF_F_CURRENT_CPU, fp - 24, 24) */
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD,
		  .imm = p->map_fd },
		{ .code = 0 },
		{ .code = BPF_ALU | BPF_MOV | BPF_K, .dst_reg = 2, .imm = -1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 3, .src_reg = 10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 3, .imm = -24 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 4, .imm = 24 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_perf_event_read_value },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 6, .src_reg = 0 },
		/* answer = bpf_map_lookup_elem(answers, &0) */
		{ .code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = 10, .off = -28 },
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD,
		  .imm = p->answer },
		{ .code = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 2, .imm = -28 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 0, .off = 3 },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = 0, .src_reg = 6 },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 1, .src_reg = 10, .off = -16 },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = 0, .src_reg = 1, .off = 8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load_raw(insn, sizeof(insn) / sizeof(insn[0]), license);
}

static int probe_open(struct perf *p, struct ring_err *err)
{
	p->answer = bpf_map_new(sizeof(struct probe_answer), 0);
	p->probe = p->answer < 0 ? p->answer : probe_load(p);
	if (p->probe < 0)
		return fail(err, p->probe, "the program that checks the map's slots cannot be loaded: it needs CAP_BPF and CAP_PERFMON (error %llu)",
			    (unsigned long long)-p->probe);
	return 0;
}

static uint64_t cpu_enabled(const struct perf_cpu *c)
{
	uint64_t v[2] = { 0 };

	return read(c->fd, v, sizeof(v)) == sizeof(v) ? v[1] : 0;
}

/*
 * Is our event in the slot of this CPU? No system call tells which event is in a slot. But a
 * program can read for how long the event in the slot has been enabled, to the nanosecond. If
 * the event is ours, that time lies between two such readings by this process. Another event
 * was enabled at another time.
 */
static bool cpu_ours(const struct perf *p, unsigned int cpu)
{
	const uint32_t zero = 0;
	struct probe_answer a;
	uint64_t before = cpu_enabled(&p->cpu[cpu]);

	/* If the probe cannot run, assume that the event is ours. */
	if (bpf_prog_run_on(p->probe, cpu) || bpf_lookup(p->answer, &zero, &a))
		return true;
	return !a.err && a.enabled >= before && a.enabled <= cpu_enabled(&p->cpu[cpu]);
}

int perf_check(struct perf *p, struct ring_err *err)
{
	unsigned int cpu;

	for (cpu = 0; cpu < p->cpus; cpu++)
		if (p->cpu[cpu].page && !cpu_ours(p, cpu))
			return fail(err, -ESTALE, "another process has put its perf event into the map's slot of CPU %llu, or taken ours out: open the channel again",
				    cpu);
	return 0;
}

/* ---- all rings ---- */

int perf_open(struct perf *p, int map_fd, uint32_t size, int epoll, struct ring_err *err)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	unsigned int cpu;
	int ret;

	memset(p, 0, sizeof(*p));
	p->map_fd = map_fd;
	p->probe = -1;
	p->answer = -1;
	p->size = size;
	p->epoch = now_of(CLOCK_REALTIME) - now_of(CLOCK_MONOTONIC);
	p->cpus = cpus < 1 ? 1 : (unsigned int)cpus;
	p->cpu = calloc(p->cpus, sizeof(*p->cpu));
	ret = p->cpu ? 0 : fail(err, -ENOMEM, "out of memory", 0);
	for (cpu = 0; p->cpu && cpu < p->cpus; cpu++)
		p->cpu[cpu].fd = -1;
	for (cpu = 0; !ret && cpu < p->cpus; cpu++)
		ret = cpu_start(p, cpu, epoll, err);
	if (!ret)
		ret = probe_open(p, err);
	if (ret)
		perf_close(p);
	return ret;
}

void perf_stop(struct perf *p)
{
	unsigned int cpu;

	for (cpu = 0; cpu < p->cpus; cpu++)
		if (p->cpu[cpu].page && p->probe >= 0 && cpu_ours(p, cpu))
			bpf_delete(p->map_fd, &cpu);
}

static void close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

void perf_close(struct perf *p)
{
	unsigned int cpu;

	for (cpu = 0; p->cpu && cpu < p->cpus; cpu++) {
		if (p->cpu[cpu].page)
			munmap(p->cpu[cpu].page, page_size() + p->size);
		close_one(p->cpu[cpu].fd);
	}
	free(p->cpu);
	close_one(p->probe);
	close_one(p->answer);
	close_one(p->map_fd);
	*p = (struct perf){ .map_fd = -1, .probe = -1, .answer = -1 };
}

int perf_next(struct perf *p, struct perf_event *e, unsigned int *cpu, uint64_t *lost)
{
	struct perf_event one;
	unsigned int i;
	int found = 0;

	for (i = 0; i < p->cpus; i++) {
		if (!p->cpu[i].page || !cpu_next(p, &p->cpu[i], &one, lost))
			continue;
		if (found && one.time >= e->time)
			continue;
		*e = one;
		*cpu = i;
		found = 1;
	}
	return found;
}

void perf_take(struct perf *p, unsigned int cpu, void *to, uint32_t len)
{
	struct perf_cpu *c = &p->cpu[cpu];

	cpu_copy(p, c, c->at + SAMPLE_HEAD, to, len);
	cpu_take(p, c);
}

uint64_t perf_unread(const struct perf *p)
{
	uint64_t at, head, n = 0;
	unsigned int i;

	for (i = 0; i < p->cpus; i++) {
		if (!p->cpu[i].page)
			continue;
		head = cpu_head(&p->cpu[i]);
		for (at = p->cpu[i].at; at != head; at += cpu_record(p, &p->cpu[i], at)->size)
			n += cpu_record(p, &p->cpu[i], at)->type == PERF_RECORD_SAMPLE;
	}
	return n;
}
