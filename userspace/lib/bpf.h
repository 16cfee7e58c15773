/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bpf.h - channels of a card that the stock driver has alone, by bpf(2).
 *
 * To the host a channel is a perf event array of the offloaded program, to the NFP a
 * hash that the program takes entries from; nfpchan_bpf.h makes both. The library
 * plays the card's part in this process: it writes messages, headers and records to
 * memory as a card does (recv), or takes them from there (send); all above the ring
 * is that of any channel.
 */
#ifndef NFPCHAN_BPF_LIB_H
#define NFPCHAN_BPF_LIB_H

#include <linux/bpf.h>
#include "card.h"
#include "chan.h"

#define BPF_MAPS_MAX	64	/* MAX_USED_MAPS of the kernel */
#define BPF_XDP_CHANNEL	"xdp0"	/* nfpchan_xdp_bind() gives it a map */
#define BPF_SENT_MAX	60	/* bytes of a message to the NFP: with its key, 64 */
#define BPF_FREE_MAX	2048	/* of one to the host whose map does not say how large */

/* ---- bpf_sys.c: system calls ---- */

/* All return -errno. Descriptors are close-on-exec. */
int bpf_prog_fd(uint32_t id);
int bpf_map_fd(uint32_t id);
int bpf_prog_info(int fd, struct bpf_prog_info *info);
int bpf_map_info(int fd, struct bpf_map_info *info);
int bpf_lookup(int fd, const void *key, void *value);
int bpf_update(int fd, const void *key, const void *value, uint64_t flags);
int bpf_delete(int fd, const void *key);
int bpf_netlink(void);

/* An array with one value, on the host (@ifindex 0) or in the card of @ifindex. */
int bpf_map_new(uint32_t value_size, int ifindex);

/* On the host: a program of raw tracepoints; run it on a CPU. */
int bpf_prog_load_raw(const struct bpf_insn *insn, uint32_t count, const char *license);
int bpf_prog_run_on(int fd, unsigned int cpu);

/* The program that interface @ifindex has in hardware: its id, or 0; -ENODEV, -errno. */
int64_t bpf_attached(int netlink, int ifindex);

/* ---- bpf_find.c: which maps are channels ---- */

/**
 * struct bpf_chan - a channel of a program
 * @name: the map's
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @map_id: the map
 * @count_id: the map that counts its messages, or 0
 * @size: bytes of a message, 0 when nobody says
 * @depth: to the NFP: messages that the map holds
 */
struct bpf_chan {
	char name[NFP_CHAN_NAME_LEN];
	uint32_t dir;
	uint32_t map_id;
	uint32_t count_id;
	uint32_t size;
	uint32_t depth;
};

/* The channels of a program, at most BPF_MAPS_MAX: how many, or -errno. */
int bpf_find(int prog_fd, struct bpf_chan *found);

/* ---- bpf_lock.c: one opener ---- */

/**
 * struct bpf_share - what is known of a map, by this opener and the next
 * @pid: of who has it open
 * @pad: 0
 * @msgs: to host: messages received, by all who had it open
 * @bytes: their bytes
 * @lost: those that the kernel says were lost
 * @next: to NFP: number of the next message
 */
struct bpf_share {
	uint32_t pid;
	uint32_t pad;
	uint64_t msgs;
	uint64_t bytes;
	uint64_t lost;
	uint64_t next;
};

/**
 * bpf_lock() - have a map alone
 * @share: out: mapped until bpf_unlock()
 * @pid: out: after -EBUSY: who has it
 *
 * Return: a descriptor, -EBUSY, -errno.
 */
int bpf_lock(uint32_t map_id, struct bpf_share **share, uint32_t *pid);
void bpf_unlock(int fd, struct bpf_share *share);

/* What was written down of a map, all 0 when nothing was: has somebody it open now? */
bool bpf_shared(uint32_t map_id, struct bpf_share *share);

/* The text of a failure of bpf_lock(); returns @err. */
int bpf_lock_fail(struct nfpchan_card *card, const char *name, int err, uint32_t map_id,
		  uint32_t pid);

/* ---- bpf_card.c ---- */

/**
 * struct bpf_card - an interface
 * @users: the card's handle and its channels
 * @netlink: socket
 * @ifindex: number of the interface
 * @port: number of its wire port
 * @dev: its name
 * @pci: PCI function
 * @asking: guards @netlink; the last lock that is taken
 * @lock: guards what follows; taken before that of a channel
 * @chans: channels to the host that this process has open
 */
struct bpf_card {
	unsigned int users;
	int netlink;
	int ifindex;
	uint8_t port;
	char dev[16];
	char pci[32];
	pthread_mutex_t asking;
	pthread_mutex_t lock;
	struct bpf_recv *chans;
};

void bpf_card_put(struct bpf_card *card);

/* Is the interface there, and @prog its program (0: any)? 0, or why not, in @end. */
int bpf_card_check(struct bpf_card *card, uint32_t prog, struct ring_err *end);

/* ---- bpf_perf.c: perf rings of a map ---- */

/**
 * struct perf_cpu - the ring of a CPU
 * @fd: the event
 * @page: its first page, NULL: there is no such CPU
 * @data: the ring behind it
 * @at: where the reader is
 */
struct perf_cpu {
	int fd;
	void *page;
	const uint8_t *data;
	uint64_t at;
};

/**
 * struct perf - all of them
 * @map_fd: the map: what was put into it by this descriptor goes with it
 * @probe: a program that looks what is in the map's slots, or -1
 * @answer: the map where it says so
 * @size: bytes of a ring
 * @epoch: what to add to a record's time for the time of day
 * @cpus: how many there are
 * @cpu: them
 */
struct perf {
	int map_fd;
	int probe;
	int answer;
	uint32_t size;
	uint64_t epoch;
	unsigned int cpus;
	struct perf_cpu *cpu;
};

/**
 * struct perf_event - a record of the program's
 * @time: when it was written, time of day in ns
 * @len: bytes, with what perf has filled them up with
 */
struct perf_event {
	uint64_t time;
	uint32_t len;
};

/* Put rings of @size bytes into map @map_fd, which is taken over; wake @epoll. */
int perf_open(struct perf *p, int map_fd, uint32_t size, int epoll, struct ring_err *err);
void perf_close(struct perf *p);

/* Take the slots back: nothing comes any more, but what is there. */
void perf_stop(struct perf *p);

/*
 * The oldest record: 1, or 0: there is none. Records of what was lost are taken on the
 * way and added to @lost.
 */
int perf_next(struct perf *p, struct perf_event *e, unsigned int *cpu, uint64_t *lost);

/* Copy the beginning of it to @to, and take it. */
void perf_take(struct perf *p, unsigned int cpu, void *to, uint32_t len);

/* Records that are there. */
uint64_t perf_unread(const struct perf *p);

/* Is each slot of the map still ours? 0 or -ESTALE, with the text. */
int perf_check(struct perf *p, struct ring_err *err);

/* ---- bpf_recv.c, bpf_send.c ---- */

/**
 * struct bpf_recv - a channel to the host
 * @next: in the card's list
 * @ch: its handle
 * @card: its card
 * @prog: program that must stay attached, 0 for any
 * @info: the channel; of one without a map its map_id is 0
 * @perf: rings
 * @event: messages have a struct nfp_chan_xdp_event in front
 * @bound: a map's slots are ours
 * @lock: of the map, or -1
 * @share: what others see
 * @none: stands for it without a map
 * @count_fd: the map that counts, or -1
 * @given: what it said when the map was bound
 * @note: the record, as the card would write it
 * @pos: position behind the last message written
 * @seq: its number
 * @checked: @seq at the last check
 * @event_seq: number of the last event, with those lost
 * @started: @share's number of messages when it was opened
 * @bell: eventfd: messages are unread
 * @timer: its file
 * @rung: it has rung
 * @check: when to look after program, interface and slots again
 */
struct bpf_recv {
	struct bpf_recv *next;
	struct nfpchan *ch;
	struct bpf_card *card;
	uint32_t prog;
	struct bpf_chan info;
	struct perf perf;
	bool event;
	bool bound;
	int lock;
	struct bpf_share *share;
	struct bpf_share none;
	int count_fd;
	uint64_t given;
	struct nfp_chan_note note;
	uint64_t pos;
	uint32_t seq;
	uint32_t checked;
	uint32_t event_seq;
	uint64_t started;
	int bell;
	int timer;
	bool rung;
	uint64_t check;
};

int bpf_recv_open(struct nfpchan_card *card, struct nfpchan *ch, const struct bpf_chan *info,
		  uint32_t prog, const struct nfpchan_opts *o);
int bpf_send_open(struct nfpchan_card *card, struct nfpchan *ch, const struct bpf_chan *info,
		  uint32_t prog, const struct nfpchan_opts *o);

/* Counters of a channel to the host, from the card and from who receives. */
int bpf_recv_query(struct bpf_card *card, const struct bpf_chan *info, struct nfp_chan_query *q);

/* Those of the channels that were given a map. */
void bpf_bound_query(struct bpf_card *card, struct nfp_chan_query *q);

/* Messages that the program has taken. */
void bpf_send_query(const struct bpf_chan *info, struct nfp_chan_query *q);

/* The text of a failure, kept with the card: returns its code. */
int bpf_fail(struct nfpchan_card *card, const char *name, const struct ring_err *err);

/* Ring, record and control page of a channel in memory, and the ring's start. */
int bpf_memory(struct nfpchan *ch, struct nfp_chan_note *note, uint64_t pos,
	       const struct ring_db *db);
void bpf_memory_free(struct nfpchan *ch);
/* There is no interrupt that could set one: -EOPNOTSUPP. */
int bpf_no_eventfd(struct nfpchan *ch, int fd);

#endif /* NFPCHAN_BPF_LIB_H */
