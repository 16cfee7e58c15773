/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bpf.h - channels of "bpf:" cards, whose firmware has no channels, by bpf(2).
 *
 * A channel to the host is a perf event array of the offloaded program. A channel to the NFP is
 * a hash from which the program takes entries, or an array of slots that the program reads.
 * nfpchan_bpf.h declares them. The library acts as
 * the card in this process: it writes messages and records to the ring (bpf_recv.c), or takes
 * messages from the ring (bpf_send.c). The rest of the library works as for any channel.
 */
#ifndef NFPCHAN_BPF_LIB_H
#define NFPCHAN_BPF_LIB_H

#include <linux/bpf.h>
#include "bpf_sys.h"
#include "card_handle.h"
#include "chan_handle.h"
#include "nfpchan_bpf.h"
#include "prog_maps.h"

#define BPF_XDP_CHANNEL	"xdp0"	/* the channel without a map, for nfpchan_xdp_bind() */
#define BPF_FREE_MAX	2048	/* bytes of a message to the host, if the map gives no size */

/* ---- bpf_find.c: the maps that are channels ---- */

/**
 * struct bpf_chan - a channel of a program
 * @name: name of the map
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @map_id: id of the map, 0 for BPF_XDP_CHANNEL
 * @count_id: id of the map that counts its messages, or 0
 * @size: bytes of a message, 0 if not known
 * @depth: to the NFP: messages that the map holds
 * @slots: to the NFP: the map is an array of slots, so runs of the program may repeat a message
 */
struct bpf_chan {
	char name[NFP_CHAN_NAME_LEN];
	uint32_t dir;
	uint32_t map_id;
	uint32_t count_id;
	uint32_t size;
	uint32_t depth;
	bool slots;
};

/* Find the channels of a program, up to BPF_MAPS_MAX. Returns how many, or -errno. */
int bpf_find(int prog_fd, struct bpf_chan *found);

/* ---- bpf_lock.c: one opener of a map ---- */

/**
 * struct bpf_share - contents of a map's file, for this opener and the next one
 * @pid: process that has the map open
 * @marked: 1 if @mark was read from the card
 * @msgs: messages received or sent, by all openers so far
 * @bytes: bytes of @msgs
 * @lost: to the host: messages that the kernel reported as lost
 * @next: to the NFP: number of the next message
 * @repeated: slots: times that a run of the program took a message which another run had taken
 * @mark: slots: the program's counters (struct nfpchan_seen) up to which takes were counted
 */
struct bpf_share {
	uint32_t pid;
	uint32_t marked;
	uint64_t msgs;
	uint64_t bytes;
	uint64_t lost;
	uint64_t next;
	uint64_t repeated;
	uint32_t mark[NFPCHAN_COUNTERS];
};

/**
 * bpf_lock() - become the only opener of a map
 * @share: out: contents of the map's file, mapped until bpf_unlock()
 * @pid: out, after -EBUSY: the process that has the map open
 *
 * Return: a descriptor of the map's file, for bpf_unlock(); -EBUSY; or another -errno.
 */
int bpf_lock(uint32_t map_id, struct bpf_share **share, uint32_t *pid);
void bpf_unlock(int fd, struct bpf_share *share);

/* Copy the contents of the map's file, or zeros. Returns whether a process has the map open. */
bool bpf_shared(uint32_t map_id, struct bpf_share *share);

/* Keep the text of a failure of bpf_lock(). Returns @err. */
int bpf_lock_fail(struct nfpchan_card *card, const char *name, int err, uint32_t map_id,
		  uint32_t pid);

/* ---- bpf_card.c, bpf_iface.c ---- */

/* Open the card "bpf:@dev". The text of a failure goes to @err. */
int bpf_card_open(struct nfpchan_card *card, const char *dev, char *err, size_t len);

/**
 * struct bpf_card - an interface that is used as a card
 * @users: the card's handle and its channels; the last one frees it
 * @netlink: netlink socket
 * @ifindex: number of the interface
 * @port: number of its wire port
 * @dev: name of the interface
 * @pci: PCI function
 * @asking: guards @netlink; taken after all other locks
 * @lock: guards @chans; taken before a channel's lock
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

/* bpf_attached() of the interface */
int64_t bpf_card_attached(struct bpf_card *card);

/* Is the interface there, and @prog (0: any) its program? Returns 0, or the error in @end. */
int bpf_card_check(struct bpf_card *card, uint32_t prog, struct ring_err *end);

/* ---- bpf_perf.c: perf rings in the slots of a map ---- */

/**
 * struct perf_cpu - the perf ring of a CPU
 * @fd: the perf event
 * @page: first page of the mapping; NULL: the CPU does not exist
 * @data: the ring, which follows @page
 * @at: position of the reader
 */
struct perf_cpu {
	int fd;
	void *page;
	const uint8_t *data;
	uint64_t at;
};

/**
 * struct perf - the perf rings of a map
 * @map_fd: the map. The kernel removes the slots that were set by this descriptor when it is
 *	closed
 * @probe: program that looks which events are in the map's slots, or -1
 * @answer: map to which @probe writes its answer
 * @size: bytes of a ring
 * @epoch: time of day minus the time of records, ns
 * @cpus: number of elements of @cpu
 * @cpu: the rings, by CPU
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
 * struct perf_event - a record that the program has written
 * @time: time of day when it was written, ns
 * @len: bytes, with the padding that perf has added
 */
struct perf_event {
	uint64_t time;
	uint32_t len;
};

/* Put rings of @size bytes into map @map_fd, which perf_close() closes, and add them to @epoll. */
int perf_open(struct perf *p, int map_fd, uint32_t size, int epoll, struct ring_err *err);
void perf_close(struct perf *p);

/* Remove our events from the slots. Records that are in the rings stay. */
void perf_stop(struct perf *p);

/*
 * Show the oldest record. Returns 1, or 0 if there is none. Adds the number of records that the
 * kernel reported as lost to @lost.
 */
int perf_next(struct perf *p, struct perf_event *e, unsigned int *cpu, uint64_t *lost);

/* Copy the first @len bytes of that record to @to, and remove it from the ring. */
void perf_take(struct perf *p, unsigned int cpu, void *to, uint32_t len);

/* Number of records in the rings */
uint64_t perf_unread(const struct perf *p);

/* Is our event in each slot of the map? Returns 0, or -ESTALE with its text. */
int perf_check(struct perf *p, struct ring_err *err);

/* ---- bpf_hash.c, bpf_slots.c: the messages that the program takes ---- */

struct bpf_store_ops;

/**
 * struct bpf_store - the maps of a channel to the NFP
 * @ops: bpf_hash_ops or bpf_slots_ops
 * @map_fd: the messages
 * @count_fd: the array beside them
 * @size: bytes of a message
 * @depth: messages that the map holds
 * @share: contents of the map's file
 */
struct bpf_store {
	const struct bpf_store_ops *ops;
	int map_fd;
	int count_fd;
	uint32_t size;
	uint32_t depth;
	struct bpf_share *share;
};

/**
 * struct bpf_store_ops - how messages get to the program. Each returns 0 or -errno
 * @oldest: read the number of the oldest message that the map keeps
 * @there: is message @nr in the map? -ENOENT: no
 * @start: prepare @share after the lock, or NULL
 * @put: write message @nr. -EEXIST, -E2BIG: the map has an entry that is not from the library
 * @taken: *@nr is the number of the oldest message at the last call. Remove the messages that
 *	the program has taken since, and move *@nr on, at most to @next
 */
struct bpf_store_ops {
	int (*oldest)(const struct bpf_store *s, uint32_t *nr);
	int (*there)(const struct bpf_store *s, uint32_t nr);
	int (*start)(struct bpf_store *s);
	int (*put)(struct bpf_store *s, uint32_t nr, const void *msg);
	int (*taken)(struct bpf_store *s, uint32_t next, uint32_t *nr);
};

extern const struct bpf_store_ops bpf_hash_ops, bpf_slots_ops;

/* ---- bpf_recv.c, bpf_send.c ---- */

/**
 * struct bpf_recv - a channel to the host
 * @next: in the card's list
 * @ch: its handle
 * @card: its card
 * @prog: id of the program that must stay attached, 0 for any
 * @info: properties; @info.map_id is 0 in a channel without a map
 * @perf: perf rings
 * @event: the channel is BPF_XDP_CHANNEL: messages begin with a struct nfp_chan_xdp_event
 * @bound: our events are in the slots of a map
 * @lock: fd that holds the lock of the map, or -1
 * @share: contents of the map's file, or @none
 * @none: what @share points to without a map
 * @count_fd: the map that counts messages, or -1
 * @given: that count when the map was bound
 * @note: the record, written as the card would write it
 * @pos: position after the last message written
 * @seq: number of the last message written
 * @checked: @seq at the last check
 * @event_seq: number of the last event, lost ones included
 * @started: @share->msgs when the map was opened
 * @bell: eventfd, readable while messages are unread
 * @timer: timerfd, readable when a check is due
 * @rung: @bell is readable
 * @check: time of the next check of program, interface and slots
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

/* Add the counters of a channel to the host, from the card and from its opener. */
int bpf_recv_query(struct bpf_card *card, const struct bpf_chan *info, struct nfp_chan_query *q);

/* Add the counters of this process' channels that were given a map. */
void bpf_bound_query(struct bpf_card *card, struct nfp_chan_query *q);

/* Read the number of messages that the program has taken. */
void bpf_send_query(const struct bpf_chan *info, struct nfp_chan_query *q);

/* Keep the text of a failure in the card. Returns its code. */
int bpf_fail(struct nfpchan_card *card, const char *name, const struct ring_err *err);

/* bpf_memory.c: allocate ring and control page of a channel, and start its ring at @pos. */
int bpf_memory(struct nfpchan *ch, struct nfp_chan_note *note, uint64_t pos,
	       const struct ring_db *db);
void bpf_memory_free(struct nfpchan *ch);
/* chan_ops.eventfd: fails with -EOPNOTSUPP, as there is no interrupt to bind. */
int bpf_no_eventfd(struct nfpchan *ch, int fd);

#endif /* NFPCHAN_BPF_LIB_H */
