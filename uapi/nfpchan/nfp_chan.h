/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * nfp_chan.h - ioctls of /dev/nfp_chanN and of channel file descriptors, and
 * the memory layouts that user space maps.
 *
 * Two kinds of file descriptor. /dev/nfp_chanN, one for each PF: answers
 * queries, opens channels. A channel fd: one open end (a pipe) of a channel;
 * poll, mmap, ioctl, and plain read or write of one message. Closing it, or
 * the death of the process, gives everything back.
 *
 * Extension: every struct starts with its size, filled in by the caller.
 * Fields are added at the end; a kernel that knows fewer accepts a larger
 * struct while the rest is 0 (else -E2BIG), a kernel that knows more takes
 * what is missing as 0. Unknown flags and reserved fields that are not 0 get
 * -EINVAL.
 *
 * errno, the same for all ioctls:
 *   EFAULT   the struct is not in memory of the caller
 *   EINVAL   size too small, unknown flag, reserved field, value out of range
 *   E2BIG    size larger than known and the rest is not 0
 *   ENOTTY   no such ioctl on this kind of fd
 *   ENODEV   the card is gone (driver unbound, removed, shut down, about to sleep
 *	      with the system); final: open the node again once it is there
 *   EIO      the card's firmware answered with an error or nonsense
 *   ETIMEDOUT  the firmware did not answer
 * Those of one ioctl alone are said there. All may be called from any thread;
 * none blocks longer than the firmware takes to answer (1 s at most).
 *
 * read() and write() of a channel fd carry one message each, readv() and
 * writev() too; 0 from read() is a message without payload. Of a stream they
 * carry as many elements as there are, or as have room, one at least. EBADF: the other
 * direction. EBUSY: the control page was mapped. EISCONN: the fd is an end of a
 * link (NFP_CHAN_IOC_LINK). EMSGSIZE: the buffer is
 * smaller than the message, which stays; a message larger than max_size or of
 * another size than elem_size. EAGAIN: none there, no room; for a rendezvous,
 * no receiver. EPIPE: the ME process has ended (no signal is raised). EIO: the
 * card broke the protocol, the pipe is off. ECANCELED: taken back with
 * NFP_CHAN_IOC_CANCEL meanwhile. ETIMEDOUT: it may have been, the firmware
 * does not say; or those before it may be yet, and it was not sent. EINTR,
 * EFAULT, ENOMEM, ENODEV. After EFAULT a message read stays, one written was
 * not sent. With RWF_NOWAIT it is EAGAIN, not ETIMEDOUT, for as long as those
 * before it may be taken back.
 *
 * poll(): EPOLLIN a message is there; EPOLLOUT one of max_size fits (a
 * rendezvous: none is under way) and the firmware has said what it has taken
 * back, for which the module asks again; EPOLLERR as EIO; EPOLLHUP as EPIPE and, with
 * EPOLLERR, ENODEV. Edge-triggered epoll is for those who read() or write()
 * until EAGAIN; who has the ring mapped arms it and waits on an eventfd. In
 * io_uring requests wait without a thread, but for a write in a rendezvous; of
 * several on one fd any may be next. RWF_NOWAIT: EAGAIN for that write always.
 *
 * O_ASYNC: SIGIO, or the signal that F_SETSIG chose, goes to the thread, process
 * or group of F_SETOWN_EX whenever an armed pipe fires, with the fd in si_fd if
 * it was chosen. Setting the flag arms the pipe; what is there already is told
 * at once. After that, as for edge-triggered epoll, a read() or write() that
 * gets EAGAIN arms it again, a poll() that finds nothing, or a user of the ring.
 * The signal may be spurious. It is told of the card's end as well, and ends
 * with the flag or the last close.
 *
 * Isolation. A channel fd is all there is to a pipe: its messages, its pages, its
 * doorbells are reached through that fd alone, and so by those who opened it,
 * inherited it or were sent it. It cannot be opened through /proc/PID/fd. What a
 * process does to its own rings, records and doorbells ends its own pipe (EIO).
 * All who may open /dev/nfp_chanN see the channel table, and as statistics how
 * many pipes a channel has and how much went through them; they may open any
 * channel that is not exclusive and in use, and then get a share of what it
 * delivers: what must not be shared is to be exclusive in the channel table.
 *
 * Limits. While a pipe exists, the memory that it pins (its ring and 16 KiB: the
 * record, the control page, what replaces them when the card goes) is charged to
 * the user who opened it, against RLIMIT_MEMLOCK: together with that of all the
 * user's processes, of io_uring, AF_XDP and the like. Without CAP_IPC_LOCK.
 *
 * Mappings (struct nfp_chan_layout) are inherited by fork() and outlive the card: then
 * the notification record's state is NFP_CHAN_STATE_GONE, the ring reads as
 * zeros or as what was written there since, doorbells do nothing. Messages
 * that were read in place were whole if the state was not GONE after that.
 */
#ifndef NFP_CHAN_H
#define NFP_CHAN_H

#include <linux/types.h>
#include <linux/ioctl.h>
#include <nfpchan/nfp_chan_ring.h>

#define NFP_CHAN_IOC_TYPE	0xe1

/**
 * struct nfp_chan_info - about the card
 * @size: sizeof(struct nfp_chan_info)
 * @flags: 0
 * @abi_major: of the firmware
 * @abi_minor: of the firmware
 * @chan_count: channels in its table; their ids are 0 to this - 1
 * @pipe_count: pipes that may be open at a time, on all channels
 * @pipe_used: pipes open now
 * @me_mhz: clock of the microengines, MHz
 * @boot_id: differs after every start of the firmware
 * @dma_bytes: memory that the card reads or writes by DMA: the rings and records of its
 *	pipes, and where it answers commands
 * @held_bytes: memory that nobody uses any more and the card may still write. It is freed
 *	once the card has said that it does not
 * @pci: name of the PCI function, "0000:01:00.0", NUL-terminated
 * @fw_name: name of the firmware, NUL-terminated
 * @fw_version: its version, NUL-terminated
 */
struct nfp_chan_info {
	__u32	size;
	__u32	flags;
	__u16	abi_major;
	__u16	abi_minor;
	__u32	chan_count;
	__u32	pipe_count;
	__u32	pipe_used;
	__u32	me_mhz;
	__u32	boot_id;
	__aligned_u64	dma_bytes;
	__aligned_u64	held_bytes;
	char	pci[32];
	char	fw_name[32];
	char	fw_version[32];
};

/* NFP_CHAN_IOC_INFO, on /dev/nfp_chanN */
#define NFP_CHAN_IOC_INFO	_IO(NFP_CHAN_IOC_TYPE, 0x00)

/* struct nfp_chan_query.flags, NFP_CHAN_IOC_QUERY: look up by @id */
#define NFP_CHAN_QUERY_BY_ID	0x1

/* struct nfp_chan_query.chan_flags */

/**
 * struct nfp_chan_query - about a channel, and what it carried so far
 * @size: sizeof(struct nfp_chan_query)
 * @flags: in: NFP_CHAN_QUERY_BY_ID, or 0 to look up by @name
 * @name: name of the channel (in, or out), NUL-terminated
 * @id: its id (in, or out)
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @chan_flags: NFP_CHAN_F_*
 * @elem_size: bytes of each message, 0 when they vary. Stream: of each element,
 *	1 for plain bytes
 * @max_size: bytes of the largest message
 * @depth: 0 for a rendezvous, else messages that a pipe buffers
 * @pipes: pipes open on it now
 * @island: island of the ME process at the other end
 * @me: its microengine
 * @ctx: its context
 * @kind: NFP_CHAN_MESSAGE or NFP_CHAN_STREAM
 * @msgs: messages (elements of a stream) carried since the firmware started
 * @bytes: their payload bytes
 * @dropped: messages or elements dropped by policy or lost with a closed pipe
 * @stalled: times a sender on the card waited for room or a receiver
 * @irqs: interrupts taken for its pipes since the card was attached
 * @signals: signals sent to it with NFP_CHAN_IOC_SIGNAL since the card was
 *	attached
 * @irq_count: moderation of the pipes open on it, see struct nfp_chan_open: the
 *	largest of any
 * @irq_usecs: the largest of any
 *
 * Counters are read from the card: a few microseconds each.
 * ENOENT: no such channel.
 */
struct nfp_chan_query {
	__u32	size;
	__u32	flags;
	char	name[NFP_CHAN_NAME_LEN];
	__u32	id;
	__u32	dir;
	__u32	chan_flags;
	__u32	elem_size;
	__u32	max_size;
	__u32	depth;
	__u32	pipes;
	__u8	island;
	__u8	me;
	__u8	ctx;
	__u8	kind;
	__aligned_u64	msgs;
	__aligned_u64	bytes;
	__aligned_u64	dropped;
	__aligned_u64	stalled;
	__aligned_u64	irqs;
	__aligned_u64	signals;
	__u32	irq_count;
	__u32	irq_usecs;
};

/* NFP_CHAN_IOC_QUERY, on /dev/nfp_chanN */
#define NFP_CHAN_IOC_QUERY	_IO(NFP_CHAN_IOC_TYPE, 0x01)

/* struct nfp_chan_open.flags */
#define NFP_CHAN_OPEN_NONBLOCK	0x1	/* read and write do not block */
#define NFP_CHAN_OPEN_INLINE	0x2	/* with an inline page, if one is left */
#define NFP_CHAN_OPEN_PORT	0x4	/* reports to the port @port_fd */
#define NFP_CHAN_OPEN_RING_OF	0x8	/* in the ring of the channel @ring_fd */
#define NFP_CHAN_OPEN_LINK	0x10	/* takes messages through a link alone */

/**
 * struct nfp_chan_open - open a channel by name
 * @size: sizeof(struct nfp_chan_open)
 * @flags: NFP_CHAN_OPEN_*; the fd is close-on-exec always
 * @name: the channel, NUL-terminated
 * @ring_size: bytes of the data ring: a power of 2 from 4096 to 4194304, or 0
 *	for the smallest that holds the channel's depth. The depth does not
 *	grow with it; what a stream buffers does
 * @fd: out: the channel's file descriptor
 * @irq_count: messages (elements of a stream; of a stream of bytes to the host,
 *	notification records) that an interrupt waits for, at most 65535
 * @irq_usecs: microseconds it waits for them at most, counted from the first,
 *	at most 1000000. 0: interrupts are not held back, and @irq_count is 0 or
 *	1. With it, an @irq_count of 0 waits for the time alone
 * @ring_fd: with NFP_CHAN_OPEN_RING_OF: a stream to the host. The channel to open
 *	is a stream to the NFP with elements of the same size, and shares its ring:
 *	what came there goes to the NFP without a copy, in the order in which it
 *	came. @ring_size is 0 or that ring's. Both fds then take no read() and
 *	write() (EBUSY), the ring is mapped for writing through this one, and the
 *	other's data doorbell is not rung until this one is closed (uapi/PROTOCOL.rst).
 *	Else 0
 * @port_fd: with NFP_CHAN_OPEN_PORT: fd of the port (NFP_CHAN_IOC_PORT) that the channel
 *	reports to. It may be closed before the channel. Else 0
 * @cookie: with NFP_CHAN_OPEN_PORT: what the port's elements say of the channel. Else 0
 *
 * With NFP_CHAN_OPEN_LINK, of a channel to the host, no message comes to this fd: they come
 * when it is linked (NFP_CHAN_IOC_LINK), to where the link leads, and until then the channel
 * is as if this end were not there, but that it is open. So none comes between the open and
 * the link, nor behind that.
 * Interrupts come for who has armed the pipe, which poll(), a read() or write()
 * that finds nothing, and users of the ring do. Holding them back makes one of
 * several; none is held back when the pipe is full (to the host) or empty (to
 * the NFP), nor at the end of the ME process.
 * Allocates ring and notification page (DMA memory, charged to the caller's
 * memory cgroup unless the platform takes it from a pool), a pipe of the card,
 * an MSI-X vector.
 * The caller's own access to /dev/nfp_chanN decides: it must be open for
 * reading to open a channel to the host, for writing to open one to the NFP
 * (EACCES).
 * ENOENT: no such channel. EBUSY: it is exclusive and open. ENOSPC: all pipes
 * or all MSI-X vectors are in use; also where the host had no memory for a
 * vector, which its interrupt code does not tell apart. EDQUOT: the caller's
 * user has as many pipes of this card as it may: half of them, or what the
 * module's parameter user_pipes says; CAP_SYS_RESOURCE may have all. ENOMEM
 * also: @ring_size and 16384 bytes more are beyond RLIMIT_MEMLOCK, see above.
 * EMSGSIZE: the ring is too small for a message of max_size; or too large for a
 * stream to the NFP, whose elements must be whole units (1 byte in rings of up
 * to 64 KiB, ring_size / 65536 in larger ones). With NFP_CHAN_OPEN_RING_OF also
 * EBADF: @ring_fd is not open. EINVAL: it is no such channel. EXDEV: it is one
 * of another card. EBUSY: another channel shares the ring, or some of what came
 * was given back, or it is turned off. With NFP_CHAN_OPEN_PORT also EBADF:
 * @port_fd is not open. EINVAL: it is not a port. EXDEV: it is one of another
 * card. EPIPE: the ME process has ended. EOPNOTSUPP: the firmware does not hold
 * interrupts back (ABI 1.4), or has no ports (1.5), or shares no rings (1.6), or has no links
 * (1.7).
 * ENOMEM, EMFILE, ENFILE.
 */
struct nfp_chan_open {
	__u32	size;
	__u32	flags;
	char	name[NFP_CHAN_NAME_LEN];
	__u32	ring_size;
	__s32	fd;
	__u32	irq_count;
	__u32	irq_usecs;
	__s32	ring_fd;
	__s32	port_fd;
	__aligned_u64	cookie;
};

/* NFP_CHAN_IOC_OPEN, on /dev/nfp_chanN */
#define NFP_CHAN_IOC_OPEN	_IO(NFP_CHAN_IOC_TYPE, 0x02)

/**
 * struct nfp_chan_signal - set the signal of a channel's ME process
 * @size: sizeof(struct nfp_chan_signal)
 * @flags: 0
 * @name: the channel, NUL-terminated; ignored on a channel fd
 *
 * Two posted writes, nothing is waited for. Signals that come before the
 * process looks are one. EOPNOTSUPP: the channel's process takes no signals.
 * Whoever may open a channel may signal it by its name, on /dev/nfp_chanN, which
 * must be open for writing (EACCES). ENOENT. EBUSY: it is exclusive and open:
 * then only on its fd.
 */
struct nfp_chan_signal {
	__u32	size;
	__u32	flags;
	char	name[NFP_CHAN_NAME_LEN];
};

/* NFP_CHAN_IOC_SIGNAL, on /dev/nfp_chanN and on a channel fd */
#define NFP_CHAN_IOC_SIGNAL	_IO(NFP_CHAN_IOC_TYPE, 0x03)

/**
 * struct nfp_chan_layout - the layout of a channel fd's memory
 * @size: sizeof(struct nfp_chan_layout)
 * @flags: 0
 * @id: id of the channel, NFP_CHAN_ID_PORT of a port
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @elem_size: bytes of each message, 0 when they vary. Stream: of each element,
 *	1 for plain bytes
 * @max_size: bytes of the largest message
 * @depth: 0 for a rendezvous, else messages that the pipe buffers
 * @ring_size: bytes of the data ring, a power of 2
 * @unit_shift: log2 of the bytes one count of the data doorbell stands for
 * @limit: bytes of the ring that may be outstanding, headers and padding
 *	included: what @depth comes to
 * @ring_off: mmap offset of the data ring. Map 2 * @ring_size there: the ring
 *	appears twice, back to back. Read-only for a channel to the host,
 *	read-write to the NFP
 * @note_off: mmap offset of the notification page (one page, read-only):
 *	struct nfp_chan_note at its start
 * @ctl_off: mmap offset of the control page (one page, read-write):
 *	struct nfp_chan_ctl at its start
 * @db_off: mmap offset of the doorbell page (one page of the card's memory,
 *	read-write, 32-bit stores only)
 * @db_data: offset in that page of the data doorbell: store the units
 *	consumed (to host) or produced (to NFP) since the last store
 * @db_arm: offset in that page of the arm doorbell, see nfp_chan_fw.h
 * @page_size: bytes of a page for the three single-page mappings
 * @kind: NFP_CHAN_MESSAGE or NFP_CHAN_STREAM
 * @inline_off: mmap offset of the inline page (one page of the card's memory,
 *	read-write, 32-bit stores only), see nfp_chan_fw.h
 * @inline_size: bytes of it that may be used, 0 when the pipe has none
 * @signal_db: offset in its page of the signal doorbell: store 1 there to do what
 *	NFP_CHAN_IOC_SIGNAL does, without a system call. 0 when there is none:
 *	the channel takes no signals, or all doorbells of the card are in use
 * @signal_db_off: mmap offset of that page (one page of the card's memory,
 *	read-write, 32-bit stores only)
 * @signal_db_phys: physical address of the signal doorbell, for devices that no IOMMU is in front
 *	of. 0 when there is none, or without CAP_SYS_RAWIO
 *
 * mmap() of the fd takes these offsets, all that is there or its beginning, shared:
 *   @ring_off   2 * @ring_size    PROT_READ; to the NFP PROT_WRITE, too
 *   @note_off   @page_size        PROT_READ
 *   @ctl_off    @page_size        PROT_READ, PROT_WRITE
 *   @db_off     @page_size        PROT_READ, PROT_WRITE
 *   @inline_off    @page_size        PROT_READ, PROT_WRITE, unless @inline_size is 0
 *   @signal_db_off   @page_size        PROT_READ, PROT_WRITE, unless @signal_db is 0
 * EINVAL: another offset, more bytes, a page that the pipe does not have, or
 * MAP_PRIVATE, as a copy is of no use. EACCES: PROT_WRITE where it is not said here.
 * EPERM: PROT_EXEC. Of mprotect(), either is EACCES. ENODEV: the card is gone; also
 * of /dev/nfp_chanN, of which nothing can be mapped. ENOMEM. mremap() does not
 * enlarge a mapping, and what has to pin pages (O_DIRECT, vmsplice(), buffers that
 * io_uring or other devices keep) does not take these: EFAULT. (VFIO does take the
 * last three, which are the card's.)
 * They are in no core dump.
 */
struct nfp_chan_layout {
	__u32	size;
	__u32	flags;
	__u32	id;
	__u32	dir;
	__u32	elem_size;
	__u32	max_size;
	__u32	depth;
	__u32	ring_size;
	__u32	unit_shift;
	__u32	limit;
	__aligned_u64	ring_off;
	__aligned_u64	note_off;
	__aligned_u64	ctl_off;
	__aligned_u64	db_off;
	__u32	db_data;
	__u32	db_arm;
	__u32	page_size;
	__u32	kind;
	__aligned_u64	inline_off;
	__u32	inline_size;
	__u32	signal_db;
	__aligned_u64	signal_db_off;
	__aligned_u64	signal_db_phys;
};

/* NFP_CHAN_IOC_LAYOUT, on a channel fd */
#define NFP_CHAN_IOC_LAYOUT	_IO(NFP_CHAN_IOC_TYPE, 0x04)

/**
 * struct nfp_chan_ctl - control page, shared by the user and the kernel
 * @pos: position behind the last byte consumed (to host) or produced (to NFP)
 * @rung: to host: the part of @pos that the data doorbell was told, a multiple of
 *	the unit. To the NFP nobody reads it: all of @pos was told
 * @seq: messages or elements consumed or produced, modulo 2^32; of a stream of
 *	bytes to host the record's seq when last looked at
 * @arm: the value of the arm register: exchange it atomically, store the
 *	difference, modulo 2^18, at the arm doorbell
 * @rsvd: 0
 *
 * The kernel believes none of it: it reads @pos for poll() on this fd alone,
 * and exchanges @arm before it arms the pipe on the caller's behalf. Whoever
 * maps this page owns @pos, @rung and @seq; read() and write() then answer
 * EBUSY for as long as the fd lives.
 */
struct nfp_chan_ctl {
	__aligned_u64	pos;
	__aligned_u64	rung;
	__u32	seq;
	__u32	arm;
	__u32	rsvd[2];
};

/**
 * struct nfp_chan_eventfd - bind the pipe's MSI-X vector to an eventfd
 * @size: sizeof(struct nfp_chan_eventfd)
 * @flags: 0
 * @fd: an eventfd, or -1 to unbind. Binding anew replaces
 * @rsvd: 0
 *
 * The eventfd is a hint to look at the ring: it may be spurious, and several
 * may be one. An interrupt that came before the first binding signals it at
 * once. At detach it is signalled one last time. EBADF, EINVAL: not an
 * eventfd.
 */
struct nfp_chan_eventfd {
	__u32	size;
	__u32	flags;
	__s32	fd;
	__u32	rsvd;
};

/* NFP_CHAN_IOC_EVENTFD, on a channel fd */
#define NFP_CHAN_IOC_EVENTFD	_IO(NFP_CHAN_IOC_TYPE, 0x05)

/* NFP_CHAN_IOC_TRIGGER, on a channel fd, no argument: behave once as if the
 * pipe's vector had fired (loopback for tests and for waking a sleeper).
 */
#define NFP_CHAN_IOC_TRIGGER	_IO(NFP_CHAN_IOC_TYPE, 0x06)

/**
 * struct nfp_chan_cancel - take a message back that the card has not taken
 * @size: sizeof(struct nfp_chan_cancel)
 * @flags: 0
 * @seq: its number, counted from 1; those that follow it are taken back too
 * @rsvd: 0
 *
 * Only on a channel of messages to the NFP. EALREADY: it is not in the pipe any
 * more: the ME process has received it, or an earlier cancel took it back. EINVAL:
 * it was not sent yet. EBUSY: it is behind what an earlier cancel took back, and
 * the card has not passed that yet. ETIMEDOUT, EIO: it has not said whether it was;
 * a write() that waits for that message fails then, too, with ETIMEDOUT.
 */
struct nfp_chan_cancel {
	__u32	size;
	__u32	flags;
	__u32	seq;
	__u32	rsvd;
};

/* NFP_CHAN_IOC_CANCEL, on a channel fd */
#define NFP_CHAN_IOC_CANCEL	_IO(NFP_CHAN_IOC_TYPE, 0x07)

/**
 * struct nfp_chan_xdp_bind - an event map of an offloaded XDP program
 * @size: sizeof(struct nfp_chan_xdp_bind)
 * @flags: 0
 * @prog_fd: XDP_BIND: a program that uses the map. XDP_UNBIND: -1
 * @map_id: the kernel's id of the map, a BPF_MAP_TYPE_PERF_EVENT_ARRAY
 *
 * XDP_BIND: from now on, what offloaded programs give to
 * bpf_perf_event_output() on that map comes as messages of this channel
 * (struct nfp_chan_xdp_event of nfp_chan_xdp.h) instead of on the map's perf
 * events. Events without room are dropped, and counted as such. The program is
 * held until XDP_UNBIND, the close of the channel, or the detach of the card;
 * that of others which use the map makes no difference.
 *
 * XDP_UNBIND: the map's events take the old way again. All that were emitted
 * before are in the channel when it returns, or counted as dropped; of a close,
 * none comes after it.
 *
 * BIND: EBADF: @prog_fd is not open. EINVAL: it is not an XDP program (also:
 * @map_id is 0). EOPNOTSUPP: the channel takes no events (NFP_CHAN_F_XDP).
 * ENXIO: the program is not offloaded. EXDEV: it is, to another card. ENOENT:
 * it uses no such map of that type. EBUSY: the map is bound, to whichever
 * channel of the card. ENOSPC: all bindings of the card are in use (16).
 * ENOMEM. EIO also: the pipe is off. After ETIMEDOUT the map may be bound.
 * UNBIND: ENOENT: the map is not bound to this fd. EINVAL: @map_id is 0,
 * @prog_fd is not -1.
 */
struct nfp_chan_xdp_bind {
	__u32	size;
	__u32	flags;
	__s32	prog_fd;
	__u32	map_id;
};

/* NFP_CHAN_IOC_XDP_BIND and _UNBIND, on a channel fd */
#define NFP_CHAN_IOC_XDP_BIND	_IO(NFP_CHAN_IOC_TYPE, 0x08)
#define NFP_CHAN_IOC_XDP_UNBIND	_IO(NFP_CHAN_IOC_TYPE, 0x09)

/* struct nfp_chan_layout.id */
/**
 * struct nfp_chan_port - open a port: one place to wait for many channels
 * @size: sizeof(struct nfp_chan_port)
 * @flags: NFP_CHAN_OPEN_NONBLOCK; the fd is close-on-exec always
 * @fd: out: the port's file descriptor
 * @irq_count: as in struct nfp_chan_open: elements that an interrupt waits for
 * @irq_usecs: microseconds it waits for them at most
 * @rsvd: 0
 *
 * A port is an fd like that of a stream to the host, with elements of 8 bytes,
 * struct nfp_chan_port_event: each is the cookie of a channel that was opened with
 * NFP_CHAN_OPEN_PORT, and that has news: a message has come, the ME process has
 * taken messages, or has ended, or the channel is off. poll(), epoll, io_uring,
 * read(), the mappings, the eventfd and O_ASYNC do what they do for a stream.
 *
 * A channel has one element there at most, and the next when that was read, or
 * its room given back, and there are news again. Whoever is told looks at the
 * channel, by read() until EAGAIN or as PROTOCOL.rst says (Ports) of the ring,
 * before he waits for the port again. What was in the port's ring when a channel
 * was closed is read all the same. A channel that reports to a port may be waited
 * for on its own fd, too, but not by edge-triggered epoll nor with O_ASYNC: its
 * read() with O_NONBLOCK does not arm it.
 *
 * It takes a pipe of the card and a vector, as a channel does. /dev/nfp_chanN must
 * be open for reading (EACCES). EINVAL: @rsvd, or moderation as of
 * NFP_CHAN_IOC_OPEN. EOPNOTSUPP: the firmware has no ports (ABI 1.5). ENOSPC,
 * EDQUOT, ENOMEM, EMFILE, ENFILE as there.
 */
struct nfp_chan_port {
	__u32	size;
	__u32	flags;
	__s32	fd;
	__u32	irq_count;
	__u32	irq_usecs;
	__u32	rsvd;
};

/* NFP_CHAN_IOC_PORT, on /dev/nfp_chanN */
#define NFP_CHAN_IOC_PORT	_IO(NFP_CHAN_IOC_TYPE, 0x0a)

/**
 * struct nfp_chan_link - have the card carry what comes on one channel to another
 * @size: sizeof(struct nfp_chan_link)
 * @flags: NFP_CHAN_LINK_STAGE or 0; 0 within a card
 * @to_fd: fd of a channel to the NFP; the ioctl's own fd is that of a channel to the
 *	host. -1: the messages are dropped, and counted
 * @fd: out: the link's file descriptor, close-on-exec
 * @hdr_len: bytes of @hdr in front of each message, a multiple of 4; 0 of a stream
 * @match_len: bytes of a message that are compared; 0 of a stream
 * @rsvd0: 0
 * @match_off: where they begin; 0 without any
 * @match_mask: the bits of them that count, 0 behind @match_len
 * @match_value: what these are, 0 in all others
 * @state_off: where in @hdr the link's state is, a multiple of 4
 * @state_len: its bytes, 4 or 8, little endian; 0: there is none
 * @rsvd1: 0
 * @state_step: what the card adds to the state behind each message, not 0; 0 without state
 * @rsvd: 0
 * @hdr: the bytes, 0 behind @hdr_len. Those of the state are its first value
 *
 * From now on what the ME process behind this fd sends goes to the ME process behind
 * @to_fd by the card, without a TLP, an interrupt or a system call: a message as soon as
 * that process waits for one, so nothing is kept in between and nothing is lost. The sender
 * waits for that, or (NFP_CHAN_F_DROP) has the message dropped and counted. A channel that
 * is open several times gives each message to one of its ends; a link is one of these. With
 * @match_len it takes the messages whose bytes at @match_off are @match_value in the bits of
 * @match_mask, and no other end does; all others go to the ends without. Of several links that
 * take a message it is that of the end with the lowest pipe number. A link is changed by
 * another one, when it is down.
 * Messages that had come to the fd before are read from there once the link is down; those
 * that had been written to @to_fd are received like those of any other end.
 *
 * Two channels of messages, or two streams with elements of one size; sizes as of
 * EMSGSIZE; of any depth, rendezvous included. A process that holds both fds may link them.
 *
 * While the link is up read() and write() of the two get EISCONN, poll() EPOLLERR. A
 * process that has mapped an end keeps off it. The link goes down with the first of the
 * three fds that is closed by all who have it, and with the card. Messages on their way have
 * come by then, and are counted; the ends that are still open are what they were before.
 *
 * Two cards. The two ends may be of two cards. Then @to_fd has carried nothing yet, and the other
 * end was opened with NFP_CHAN_OPEN_LINK. A ring lies between them: in the receiving card's memory,
 * where the sending card writes to, or else in host memory (struct nfp_chan_link_stat.via). Its
 * size is that of the ring which the end to the host was opened with. The cards ring each
 * other's doorbells. The kernel first has each card write a number to the other, and looks for
 * it there; the log says what has not arrived. The link goes down as any other, with either
 * card as well. The two ends are off then (EIO). Messages that were sent have been taken, or
 * are counted in @dropped of the statistics, and no card writes to the other any more.
 *
 * poll() of the link's fd: EPOLLHUP once it is down. NFP_CHAN_IOC_LINK_STAT and
 * /proc/PID/fdinfo tell of it.
 *
 * EBADF: @to_fd is not open. EINVAL: one of the two is no such channel, or a field is not as
 * said here, as @match_off that no message reaches. EISCONN: one of them is in a link. EBUSY: one
 * of them shares its ring (NFP_CHAN_OPEN_RING_OF), or has carried something (two cards).
 * EHOSTUNREACH: a write of one card does not come to the other, or would not pass the IOMMU.
 * ERANGE: a card's addresses have too few bits for the other's registers. EPROTOTYPE: messages
 * and a stream. EMSGSIZE: the largest message is larger than @to_fd's, or not of the one size
 * that it has (with @match_len, which takes those that fit, only if @hdr alone is larger); of
 * streams: elements differ, or are no multiple of the ring's unit. EPIPE: one of the ME
 * processes has ended. EOPNOTSUPP: the firmware has no links (ABI 1.7), or no state for them, or
 * none to another card (1.8). EIO also: one of the pipes is off. After ETIMEDOUT and EIO both
 * ends may be off (EIO), if the firmware does not say that they are not linked. ENOMEM, EMFILE,
 * ENFILE.
 */
struct nfp_chan_link {
	__u32	size;
	__u32	flags;
	__s32	to_fd;
	__s32	fd;
	__u8	hdr_len;
	__u8	match_len;
	__u16	rsvd0;
	__u32	match_off;
	__u8	match_mask[NFP_CHAN_LINK_MATCH_MAX];
	__u8	match_value[NFP_CHAN_LINK_MATCH_MAX];
	__u8	state_off;
	__u8	state_len;
	__u16	rsvd1;
	__u32	state_step;
	__u32	rsvd[2];
	__u8	hdr[NFP_CHAN_LINK_HDR_MAX];
};

/* NFP_CHAN_IOC_LINK, on the fd of a channel to the host */
#define NFP_CHAN_IOC_LINK	_IO(NFP_CHAN_IOC_TYPE, 0x0b)

/* struct nfp_chan_link.flags: between two cards, the ring is in host memory */
#define NFP_CHAN_LINK_STAGE	0x1

/* struct nfp_chan_link_stat.via */
#define NFP_CHAN_LINK_ONCARD	0	/* nothing crosses PCIe */
#define NFP_CHAN_LINK_PUSHED	1	/* the card writes into the other card's memory */
#define NFP_CHAN_LINK_STAGED	2	/* the ring is in host memory */

/* struct nfp_chan_link_stat.state */
#define NFP_CHAN_LINK_DOWN	0	/* an end was closed, or the card is gone */
#define NFP_CHAN_LINK_UP	1
#define NFP_CHAN_LINK_ENDED	2	/* it is up; an ME process has ended, or an end is off */

/**
 * struct nfp_chan_link_stat - what a link has carried
 * @size: sizeof(struct nfp_chan_link_stat)
 * @flags: 0
 * @state: out: NFP_CHAN_LINK_*
 * @via: out: NFP_CHAN_LINK_*; in: 0
 * @from: name of the channel that it takes from, NUL-terminated
 * @to: name of the one that it gives to, empty: none
 * @msgs: messages, or elements of a stream
 * @bytes: their payload bytes
 * @dropped: those that @from's policy dropped, as nobody waited for them, or, without @to, all
 * @stalled: times that a message waited for @to's process
 *
 * Of one that is down it is the last that the card has told: all, unless it went without
 * an answer.
 */
struct nfp_chan_link_stat {
	__u32	size;
	__u32	flags;
	__u32	state;
	__u32	via;
	char	from[NFP_CHAN_NAME_LEN];
	char	to[NFP_CHAN_NAME_LEN];
	__aligned_u64	msgs;
	__aligned_u64	bytes;
	__aligned_u64	dropped;
	__aligned_u64	stalled;
};

/* NFP_CHAN_IOC_LINK_STAT, on a link's fd */
#define NFP_CHAN_IOC_LINK_STAT	_IO(NFP_CHAN_IOC_TYPE, 0x0c)

#define NFP_CHAN_DEVICE_MEM_MAX	(16u << 20)

/**
 * struct nfp_chan_device - have the ME process behind a channel drive a PCI device
 * @size: sizeof(struct nfp_chan_device)
 * @flags: 0
 * @mem: memory of the caller that card and device share, page aligned
 * @dev_addr: its address as the device has it
 * @doorbell_off: where in the BAR the device's doorbell is, a multiple of 4
 * @mem_size: bytes of the memory, up to NFP_CHAN_DEVICE_MEM_MAX. 0: the device is taken back,
 *	and all else is 0
 * @domain: PCI domain of the device
 * @bus: its bus
 * @devfn: its device and function number, (device << 3) | function
 * @bar: which of its BARs
 * @rsvd0: 0
 * @in_size: bytes of a slot's input, a multiple of 8: all messages of the channel fit, but
 *	for @skip
 * @out_size: bytes of a slot's output, a multiple of 8. With @done_len, a message of the
 *	channel to the host
 * @slots: places of the device's ring: a power of 2, up to NFP_CHAN_DEVICE_SLOTS_MAX
 * @skip: bytes of a message in front that the device does not get
 * @src_at: where in a descriptor the 64-bit address of the input is
 * @dst_at: and that of the output
 * @len_at: and the 32 bits that tell the bytes of the input
 * @room_at: and those of the output, which is @out_size
 * @done_at: where the device writes its completion
 * @done_len: bytes of that
 * @status_at: where in the completion the 32 bits of the status are
 * @seq_at: and those of the job's number, from 1 on
 * @outlen_at: and those that tell the bytes of the output
 * @rsvd: 0
 * @status_ok: the status of a job that has output
 * @rsvd1: 0
 * @desc: a descriptor: what is not filled in is of each job's
 *
 * The device has a ring of descriptors of 64 bytes in @mem, then come the inputs, then the
 * outputs, @slots of each. Each message that comes to this channel is written to an input, a
 * descriptor is filled in, and 1 is written to the doorbell. Whoever calls has set the device
 * up: its ring is @mem, empty, with completions of 0, and for each job that is done it writes
 * 1 to the channel's signal doorbell (struct nfp_chan_layout.signal_db_off). Then a message goes
 * to the process' channel to the host: the completion, and the output, or of a job that
 * failed the message as it came. In its channel, dev0-in has dev0-out, and dev1-in dev1-out.
 *
 * Until a device is there messages wait. It goes with this ioctl, with the close of the
 * channel, with the removal of the PCI device or the unbinding of its driver, with the card.
 * Jobs that are under way then are counted as dropped, and the card does not write to memory
 * and device any more. The memory is pinned for that long, and charged as that of a channel is.
 * It stays pinned if the card does not say that it is through with it; the kernel's log tells.
 *
 * EPERM: no CAP_SYS_RAWIO: the card is made to write to a device that this module does not
 * know. EINVAL: no channel to the NFP, a field is not as said here, the BAR is none of memory
 * or too small, the device is the card itself, or @mem is not one piece for the card (without
 * an IOMMU: use a huge page). ENXIO: no such PCI device, or it does not decode memory. EBUSY:
 * the channel has a device. ENOENT: it has none to be taken back. EOPNOTSUPP: the channel's
 * process drives no devices, or the firmware has none that do (ABI 1.8). ERANGE: the doorbell
 * is beyond what the card can address. ENOMEM: also as of RLIMIT_MEMLOCK. EFAULT: @mem. After
 * ETIMEDOUT and EIO the device may be there or not; the close takes it back.
 */
struct nfp_chan_device {
	__u32	size;
	__u32	flags;
	__aligned_u64	mem;
	__aligned_u64	dev_addr;
	__aligned_u64	doorbell_off;
	__u32	mem_size;
	__u32	domain;
	__u8	bus;
	__u8	devfn;
	__u8	bar;
	__u8	rsvd0;
	__u16	in_size;
	__u16	out_size;
	__u16	slots;
	__u16	skip;
	__u8	src_at;
	__u8	dst_at;
	__u8	len_at;
	__u8	room_at;
	__u8	done_at;
	__u8	done_len;
	__u8	status_at;
	__u8	seq_at;
	__u8	outlen_at;
	__u8	rsvd[3];
	__u32	status_ok;
	__u32	rsvd1;
	__u8	desc[NFP_CHAN_DEVICE_DESC];
};

/* NFP_CHAN_IOC_DEVICE, on the fd of a channel to the NFP */
#define NFP_CHAN_IOC_DEVICE	_IO(NFP_CHAN_IOC_TYPE, 0x0d)

#endif /* NFP_CHAN_H */
