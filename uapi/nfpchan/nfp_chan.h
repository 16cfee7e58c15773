/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * nfp_chan.h - ioctls of /dev/nfp_chanN and of the file descriptors that they open.
 *
 * A channel joins the host and one process on the card's microengines (the ME process).
 * It carries messages or a stream, in one direction. The firmware has a table of its
 * channels. A pipe is an open end of a channel.
 *
 *   file descriptor    what it stands for         opened by
 *   card               a card: /dev/nfp_chanN     open()
 *   channel            a pipe                     NFP_CHAN_IOC_OPEN
 *   port               a place to wait for pipes  NFP_CHAN_IOC_PORT
 *   link               two pipes, joined          NFP_CHAN_IOC_LINK
 *
 * The last close of a file descriptor frees the object, also when the process dies. All
 * calls may be made from any thread.
 *
 * A process uses a channel or a port in one of two ways, which it chooses at the open:
 *   with NFP_CHAN_OPEN_MAPPED     it maps the ring, and writes to doorbells or calls
 *                                 NFP_CHAN_IOC_KICK and NFP_CHAN_IOC_ARM
 *   without NFP_CHAN_OPEN_MAPPED  it calls read() or write()
 * poll(), the eventfd and signals work in both. PROTOCOL.rst has the protocol of the
 * mappings, nfp_chan_ring.h their formats.
 *
 * Structs. Each struct starts with its size, which the caller fills in. The number of an
 * ioctl does not contain the size. Later versions add fields at the end.
 *
 *   the caller's struct is                        the kernel
 *   shorter than the first version (0.2)          answers EINVAL
 *   shorter than the kernel's                     takes the missing fields as 0
 *   longer than the kernel's, 0 after it          takes it
 *   longer than the kernel's, not 0 after it      answers E2BIG
 *
 * Unknown flags, reserved fields and fields that an ioctl does not use must be 0. A field
 * for a file descriptor is -1 for none. The kernel does not read the fields marked "out".
 * Of a struct with such fields besides a file descriptor it sets size to the number of bytes
 * that it has filled in. An ioctl that fails leaves the struct as it was.
 *
 * errno of all ioctls. Each ioctl has a table of those that it has besides.
 *   EFAULT      the struct is not in the caller's memory
 *   EINVAL      the struct is too short, or a field, a flag or a name is out of its range
 *   E2BIG       the struct is longer than the kernel's, and not 0 after it
 *   ENOTTY      the kernel has no such ioctl; see struct nfp_chan_info.features
 *   EOPNOTSUPP  the ioctl is not for this kind of file descriptor or channel; or the
 *               firmware does not have it
 *   ENODEV      the card is gone: nfp was unbound, or the card removed, or the system is
 *               going to sleep. This does not end; the caller may open the card anew
 *   EIO         the firmware refused, or its answer is not valid, or it has turned the pipe off
 *   ETIMEDOUT   the firmware did not answer within 1 s
 *
 * errno of read() and write() of a channel or a port. Each call carries one message; of a
 * stream, as many elements as there are or as have room, at least one.
 *   EAGAIN     with O_NONBLOCK: no message is there, or there is no room; a rendezvous
 *              has no receiver
 *   EBADF      the channel has the other direction
 *   EBUSY      the fd was opened with NFP_CHAN_OPEN_MAPPED
 *   ECANCELED  write(): NFP_CHAN_IOC_CANCEL has taken the message back
 *   EFAULT     the buffer is not in the caller's memory. A message to be read stays
 *   EIO        the card broke the protocol or has turned the pipe off, for ever
 *   EISCONN    the channel is an end of a link
 *   EMSGSIZE   read(): the buffer is smaller than the message, which stays. write(): more
 *              than max_size, or another size than elem_size
 *   ENODEV     the card is gone
 *   EPIPE      the ME process has ended. No signal is raised
 *   ETIMEDOUT  write(): the firmware does not say whether it has taken the message back. The
 *              pipe is off then
 * Also EINTR, ENOMEM. A message without payload is a read() of 0. With RWF_NOWAIT a write()
 * to a rendezvous answers EAGAIN always.
 *
 * poll() of a channel or a port
 *   EPOLLIN    a message is there
 *   EPOLLOUT   a message of max_size has room. Rendezvous: none is under way
 *   EPOLLERR   EIO, EISCONN, ENODEV
 *   EPOLLHUP   EPIPE, ENODEV
 * A poll() that finds nothing arms the pipe: the card then raises one interrupt. So does a
 * read() or write() that answers EAGAIN. Edge-triggered epoll therefore needs read() or
 * write() until EAGAIN. NFP_CHAN_IOC_ARM arms the pipe for an eventfd.
 *
 * O_ASYNC arms the pipe as poll() does. Whenever an armed pipe has its interrupt, and when
 * the card goes, the kernel sends SIGIO, or the signal of F_SETSIG with the fd in si_fd, to
 * the owner that F_SETOWN_EX chose. A signal may be spurious.
 *
 * Isolation. A process reaches a pipe's messages, pages and doorbells through its fd only.
 * The fd cannot be opened through /proc/PID/fd. A process that writes nonsense to its own
 * mappings ends its own pipe. Each process that may open /dev/nfp_chanN sees the channel
 * table and the counters, and may open each channel unless that is exclusive and open. It
 * then gets a share of the channel's messages: a channel whose messages are private must be
 * exclusive in the channel table.
 *
 * Memory. The pages that a pipe pins, its ring and 16 KiB, count against RLIMIT_MEMLOCK of
 * the user who opened it, and against the memory cgroup.
 */
#ifndef NFP_CHAN_H
#define NFP_CHAN_H

#include <linux/types.h>
#include <linux/ioctl.h>
#include <nfpchan/nfp_chan_ring.h>

#define NFP_CHAN_IOC_TYPE	0xe1

/* struct nfp_chan_info.features */
#define NFP_CHAN_FEATURE_RING	0x1	/* struct nfp_chan_open.ring_fd */
#define NFP_CHAN_FEATURE_PORT	0x2	/* NFP_CHAN_IOC_PORT */
#define NFP_CHAN_FEATURE_KICK	0x4	/* NFP_CHAN_IOC_KICK, NFP_CHAN_IOC_ARM */
#define NFP_CHAN_FEATURE_LINK	0x8	/* NFP_CHAN_IOC_LINK */
#define NFP_CHAN_FEATURE_XDP	0x10	/* NFP_CHAN_IOC_XDP_BIND */

/**
 * struct nfp_chan_info - about the card
 * @size: sizeof(struct nfp_chan_info)
 * @flags: 0
 * @abi_major: version of the ABI between firmware and host
 * @abi_minor: its second number
 * @chan_count: channels in the table, whose ids are 0 to @chan_count - 1
 * @pipe_count: pipes that may be open at a time
 * @pipe_used: pipes that are open
 * @me_mhz: clock of the microengines, MHz
 * @boot_id: changes with each start of the firmware
 * @features: NFP_CHAN_FEATURE_* of the kernel. The firmware may have less (EOPNOTSUPP)
 * @dma_bytes: bytes that the card reads or writes by DMA: rings and records of the pipes,
 *	and the page for answers to commands
 * @held_bytes: bytes that nobody uses and the card may still write. The kernel frees them
 *	when the card has confirmed that it does not
 * @pci: the PCI function, "0000:01:00.0", NUL-terminated
 * @fw_name: name of the firmware, NUL-terminated
 * @fw_version: version of the firmware, NUL-terminated
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
	__aligned_u64	features;
	__aligned_u64	dma_bytes;
	__aligned_u64	held_bytes;
	char	pci[32];
	char	fw_name[32];
	char	fw_version[32];
};

/* on a card */
#define NFP_CHAN_IOC_INFO	_IO(NFP_CHAN_IOC_TYPE, 0x00)

/* struct nfp_chan_query.flags: the caller gives @id, not @name */
#define NFP_CHAN_QUERY_BY_ID	0x1
/*
 * The answer has in @name the name of the ME process, "" if the firmware does not say it. A kernel
 * that does not know the flag answers EINVAL.
 */
#define NFP_CHAN_QUERY_PROCESS	0x2

/**
 * struct nfp_chan_query - about a channel
 * @size: sizeof(struct nfp_chan_query)
 * @flags: NFP_CHAN_QUERY_*
 * @name: name of the channel (in, or out), NUL-terminated
 * @id: its id (in, or out)
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @chan_flags: NFP_CHAN_F_*
 * @elem_size: bytes of each message, 0 if they vary. Stream: bytes of an element, 1 for
 *	plain bytes
 * @max_size: bytes of the largest message
 * @depth: messages that a pipe buffers, 0 for a rendezvous
 * @pipes: pipes that are open on it
 * @island: island of the ME process
 * @me: microengine of the ME process
 * @ctx: context of the ME process
 * @kind: NFP_CHAN_MESSAGE or NFP_CHAN_STREAM
 * @msgs: messages or elements carried since the firmware started
 * @bytes: payload bytes carried
 * @dropped: messages or elements dropped by the channel's policy or with a closed pipe
 * @stalled: times that a sender on the card waited for room or for a receiver
 * @irqs: interrupts of its pipes since the card was attached
 * @signals: NFP_CHAN_IOC_SIGNALs since the card was attached
 * @irq_count: the largest struct nfp_chan_open.irq_count of its pipes
 * @irq_usecs: the largest struct nfp_chan_open.irq_usecs of its pipes
 *
 *   ENOENT  there is no such channel
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

/* on a card */
#define NFP_CHAN_IOC_QUERY	_IO(NFP_CHAN_IOC_TYPE, 0x01)

/* struct nfp_chan_open.flags */
#define NFP_CHAN_OPEN_NONBLOCK	0x1	/* O_NONBLOCK is set */
#define NFP_CHAN_OPEN_INLINE	0x2	/* MAPPED: with an inline page, if one is free */
#define NFP_CHAN_OPEN_MAPPED	0x4	/* mmap() works, read() and write() do not */
#define NFP_CHAN_OPEN_LINK	0x8	/* takes messages through a link only */

/**
 * struct nfp_chan_open - open a channel
 * @size: sizeof(struct nfp_chan_open)
 * @flags: NFP_CHAN_OPEN_*
 * @name: the channel, NUL-terminated
 * @ring_size: bytes of the ring: a power of 2 from 4096 to 4194304, or 0 for the smallest
 *	one that holds the channel's depth. A larger ring makes the buffer of a stream
 *	larger, but not the depth of a channel of messages
 * @fd: out: the channel's fd, close-on-exec
 * @irq_count: messages that an interrupt waits for, up to 65535. Streams: elements; of
 *	bytes to the host, notification records
 * @irq_usecs: microseconds from the first of these that the interrupt waits at most, up to
 *	1000000. 0: it does not wait, and @irq_count is 0 or 1. With it, an @irq_count of 0
 *	waits for the time only
 * @ring_fd: fd of a stream to the host, whose ring the channel shares, or -1
 * @port_fd: fd of the port that the channel reports to, or -1. The port may be closed before
 *	the channel
 * @cookie: the value of the port's elements for this channel; 0 without a port
 *
 * An interrupt that waits is raised at once when the pipe is full (to the host) or empty (to
 * the NFP), and when the ME process ends.
 *
 * With NFP_CHAN_OPEN_LINK no message comes to a channel to the host before it is an end of a
 * link. Messages then go where the link leads, and not to the ring.
 *
 * With @ring_fd the channel is a stream to the NFP, opened with NFP_CHAN_OPEN_MAPPED and a
 * @ring_size of 0. What came from the NFP goes back to the NFP without a copy, in the order in
 * which it came. The ring is mapped for writing through @fd. The data doorbell of @ring_fd must
 * not be written to until @fd is closed (PROTOCOL.rst).
 *
 *   EACCES      the card's fd is not open for reading (channel to the host) or writing (to
 *               the NFP)
 *   EBADF       @port_fd is not the fd of a port; or @ring_fd is not that of a stream to the
 *               host, opened with NFP_CHAN_OPEN_MAPPED
 *   EBUSY       the channel is exclusive, and open
 *   EDQUOT      the user has as many pipes as it may: half of the card's. CAP_SYS_RESOURCE
 *               may have all
 *   EMFILE      the process has no fd free. Or ENFILE: the system has none
 *   EMSGSIZE    the ring is too small for a message of max_size. A stream to the NFP: it is
 *               so large that an element is not a whole number of units (ring_size / 65536)
 *   ENOENT      there is no such channel
 *   ENOMEM      no memory, or the pipe's pages are beyond RLIMIT_MEMLOCK
 *   ENOSPC      all pipes of the card or all its interrupt vectors are in use
 *   EOPNOTSUPP  the card can reach the pipe's memory in pieces or through a bounce buffer only
 *   EPIPE       the ME process has ended
 *   EPROTOTYPE  NFP_CHAN_OPEN_LINK, but the channel leads to the NFP; or @ring_fd, and the
 *               channel is no stream to the NFP with elements of that stream's size
 *   ESTALE      the ring of @ring_fd cannot be shared any more: another channel shares it, or
 *               room in it was given back, or its pipe is off
 *   EXDEV       the port or @ring_fd is of another card
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

/* on a card */
#define NFP_CHAN_IOC_OPEN	_IO(NFP_CHAN_IOC_TYPE, 0x02)

/**
 * struct nfp_chan_port - open a port: one place to wait for many channels
 * @size: sizeof(struct nfp_chan_port)
 * @flags: NFP_CHAN_OPEN_NONBLOCK, NFP_CHAN_OPEN_MAPPED
 * @fd: out: the port's fd, close-on-exec
 * @irq_count: elements that an interrupt waits for, as in struct nfp_chan_open
 * @irq_usecs: microseconds that the interrupt waits at most
 * @rsvd: 0
 *
 * A port behaves like a stream to the host. Its elements are struct nfp_chan_port_event:
 * the cookie of a channel with news. News are: a message has come, the ME process has taken
 * messages, the ME process has ended, the pipe is off.
 *
 * A port has one element of a channel at most. The card adds the next one when the process
 * has read the first one, or given its room back, and the channel has news again. So a
 * process that reads an element uses the channel until it finds nothing there, and then waits
 * for the port again. Elements of a channel that was closed are read all the same. A
 * read() with O_NONBLOCK of a channel with a port does not arm the channel, so edge-triggered
 * epoll and O_ASYNC are of no use on such a channel's own fd.
 *
 *   EACCES      the card's fd is not open for reading
 *   EDQUOT, EMFILE, ENFILE, ENOMEM, ENOSPC as of NFP_CHAN_IOC_OPEN
 */
struct nfp_chan_port {
	__u32	size;
	__u32	flags;
	__s32	fd;
	__u32	irq_count;
	__u32	irq_usecs;
	__u32	rsvd;
};

/* on a card */
#define NFP_CHAN_IOC_PORT	_IO(NFP_CHAN_IOC_TYPE, 0x0a)

/**
 * struct nfp_chan_signal - set the signal of a channel's ME process
 * @size: sizeof(struct nfp_chan_signal)
 * @flags: 0
 * @name: the channel, NUL-terminated. On a channel's fd all bytes are 0
 *
 * The call does not wait for the card. Several signals are one if the process has not looked
 * in between.
 *
 *   EACCES      the card's fd is not open for writing
 *   EBUSY       the channel is exclusive and open, and the fd is the card's
 *   ENOENT      there is no such channel
 *   EOPNOTSUPP  the ME process takes no signals
 */
struct nfp_chan_signal {
	__u32	size;
	__u32	flags;
	char	name[NFP_CHAN_NAME_LEN];
};

/* on a card or a channel */
#define NFP_CHAN_IOC_SIGNAL	_IO(NFP_CHAN_IOC_TYPE, 0x03)

/**
 * struct nfp_chan_layout - the layout of a channel's or a port's mappings
 * @size: sizeof(struct nfp_chan_layout)
 * @flags: 0
 * @id: id of the channel; NFP_CHAN_ID_PORT of a port
 * @dir: NFP_CHAN_TO_HOST or NFP_CHAN_TO_NFP
 * @elem_size: as in struct nfp_chan_query
 * @max_size: bytes of the largest message
 * @depth: messages that the pipe buffers, 0 for a rendezvous
 * @ring_size: bytes of the ring, a power of 2
 * @unit_shift: log2 of the bytes that one count of the data doorbell stands for
 * @limit: bytes of the ring that may be outstanding, with headers and padding
 * @ring_off: mmap offset of the ring
 * @note_off: mmap offset of the notification page: struct nfp_chan_note at its start
 * @ctl_off: mmap offset of the control page: struct nfp_chan_ctl at its start
 * @db_off: mmap offset of the doorbell page
 * @db_data: offset of the data doorbell in that page. The process stores the units that it
 *	has consumed (to the host) or produced (to the NFP) since the last store
 * @db_arm: offset of the arm doorbell in that page
 * @page_size: bytes of each mapping but the ring's
 * @kind: NFP_CHAN_MESSAGE or NFP_CHAN_STREAM
 * @inline_off: mmap offset of the inline page
 * @inline_size: bytes of the inline page that may be used, 0 without one
 * @signal_db: offset of the signal doorbell in its page, 0 without one: the ME process takes
 *	no signals, or all such doorbells of the card are in use. A store of 1 does what
 *	NFP_CHAN_IOC_SIGNAL does
 * @signal_db_off: mmap offset of the signal doorbell's page
 * @db_map: 1: the pages of the card can be mapped. 0: mmap() of them answers EPERM, @inline_size
 *	and @signal_db are 0, and the process calls NFP_CHAN_IOC_KICK, _ARM and _SIGNAL. The
 *	module's parameter "doorbells" is "ioctl" then, and the process that opened the channel
 *	did not have CAP_SYS_RAWIO
 * @rsvd: out: 0
 *
 *   mmap offset      bytes            PROT_                         memory
 *   @ring_off        2 * @ring_size   READ; to the NFP also WRITE   host. The ring twice, back
 *                                                                   to back
 *   @note_off        @page_size       READ                          host
 *   @ctl_off         @page_size       READ, WRITE                   host
 *   @db_off          @page_size       READ, WRITE                   card, 32-bit stores only
 *   @inline_off      @page_size       READ, WRITE                   card, 32-bit stores only
 *   @signal_db_off   @page_size       READ, WRITE                   card, 32-bit stores only
 *
 * errno of mmap()
 *   EACCES  the fd was opened without NFP_CHAN_OPEN_MAPPED; or PROT_WRITE where the table has
 *           none
 *   EINVAL  another offset, more bytes, a page that the pipe does not have, MAP_PRIVATE
 *   ENODEV  the card is gone, or the fd is the card's
 *   EPERM   PROT_EXEC (of mprotect(), EACCES); or a page of the card, and @db_map is 0
 *
 * fork() inherits the mappings. They outlive the card: the record's state then is
 * NFP_CHAN_STATE_GONE, the ring stays as it is, and a store to a doorbell does nothing. A
 * message that was read in place is whole if the state is not GONE afterwards: a card that
 * has not confirmed the end may still write to the ring. mremap() does not enlarge a mapping.
 * Calls that pin memory (O_DIRECT, vmsplice()) answer EFAULT. No core dump has the mappings.
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
	__u32	db_map;
	__u32	rsvd;
};

/* on a channel or a port */
#define NFP_CHAN_IOC_LAYOUT	_IO(NFP_CHAN_IOC_TYPE, 0x04)

/**
 * struct nfp_chan_ctl - control page, which the process and the kernel share
 * @pos: position after the last byte consumed (to the host) or produced (to the NFP)
 * @rung: to the host: the part of @pos that was stored to the data doorbell, whole units
 * @seq: messages or elements consumed or produced, modulo 2^32. Stream of bytes to the host:
 *	seq of the record when the process looked last
 * @arm: value of the arm register. To arm, exchange it atomically and store the difference,
 *	modulo 2^18, to the arm doorbell; or call NFP_CHAN_IOC_ARM
 * @rsvd: 0
 *
 * All is 0 at the open. The process owns @pos, @rung and @seq. The kernel reads @pos for
 * poll(), and exchanges @arm when it arms the pipe for the process. A wrong value harms this
 * pipe only.
 */
struct nfp_chan_ctl {
	__aligned_u64	pos;
	__aligned_u64	rung;
	__u32	seq;
	__u32	arm;
	__u32	rsvd[2];
};

/**
 * struct nfp_chan_eventfd - have the pipe's interrupt signal an eventfd
 * @size: sizeof(struct nfp_chan_eventfd)
 * @flags: 0
 * @fd: the eventfd, which replaces the one before; -1 for none
 * @rsvd: 0
 *
 * An interrupt that came while there was no eventfd signals the next one at once. A signal
 * may be spurious, and one may stand for several. The eventfd is signalled when the card
 * goes.
 *
 *   EBADF  @fd is not an eventfd
 */
struct nfp_chan_eventfd {
	__u32	size;
	__u32	flags;
	__s32	fd;
	__u32	rsvd;
};

/* on a channel or a port */
#define NFP_CHAN_IOC_EVENTFD	_IO(NFP_CHAN_IOC_TYPE, 0x05)

/* struct nfp_chan_arm.flags: the caller gives @seq; of a mapped ring only */
#define NFP_CHAN_ARM_SEQ	0x1

/**
 * struct nfp_chan_arm - have the card raise one interrupt when there is news
 * @size: sizeof(struct nfp_chan_arm)
 * @flags: NFP_CHAN_ARM_SEQ or 0
 * @seq: the count of the record when the caller looked; 0 without NFP_CHAN_ARM_SEQ
 * @events: out: 0: the pipe is armed. Otherwise it is not, because these events of poll() are
 *	pending: EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP. If the card is gone: EPOLLERR and EPOLLHUP
 *	instead of ENODEV
 *
 * The interrupt signals the eventfd. With NFP_CHAN_ARM_SEQ the card raises it once the record's
 * count is not @seq, or at once. Otherwise the call does what poll() does without sleeping; of a
 * process with a mapped ring, the kernel reads the position in struct nfp_chan_ctl.pos.
 */
struct nfp_chan_arm {
	__u32	size;
	__u32	flags;
	__u32	seq;
	__u32	events;
};

/* on a channel or a port */
#define NFP_CHAN_IOC_ARM	_IO(NFP_CHAN_IOC_TYPE, 0x06)

/**
 * struct nfp_chan_kick - ring the data doorbell of a mapped ring
 * @size: sizeof(struct nfp_chan_kick)
 * @flags: 0
 * @units: units consumed (to the host) or produced (to the NFP) since the last call, from 1 to
 *	ring_size >> unit_shift
 * @rsvd: 0
 *
 * The call orders the process's accesses to the ring before the doorbell.
 *
 *   EBUSY  the fd was opened without NFP_CHAN_OPEN_MAPPED: the kernel rings the doorbell; or the
 *          channel is an end of a link
 */
struct nfp_chan_kick {
	__u32	size;
	__u32	flags;
	__u32	units;
	__u32	rsvd;
};

/* on a channel or a port */
#define NFP_CHAN_IOC_KICK	_IO(NFP_CHAN_IOC_TYPE, 0x0d)

/**
 * struct nfp_chan_cancel - take messages back that the ME process has not received
 * @size: sizeof(struct nfp_chan_cancel)
 * @flags: 0
 * @seq: number of the first message, counted from 1. Later messages are taken back, too
 * @rsvd: 0
 *
 *   EALREADY    the message is not in the pipe: the ME process has received it, or it was
 *               taken back
 *   EBUSY       an earlier cancel is under way: the card has not passed its messages yet
 *   ENOMSG      the pipe has no such message yet, or it has none any more: the ME process
 *               has ended, or the pipe is off
 *   After ETIMEDOUT and EIO the card may take messages back at any time: the pipe is off
 */
struct nfp_chan_cancel {
	__u32	size;
	__u32	flags;
	__u32	seq;
	__u32	rsvd;
};

/* on a channel of messages to the NFP */
#define NFP_CHAN_IOC_CANCEL	_IO(NFP_CHAN_IOC_TYPE, 0x07)

#include <nfpchan/nfp_chan_link.h>

#endif /* NFP_CHAN_H */
