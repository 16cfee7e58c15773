/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * card.h - the objects of the module, and the lock that protects each field.
 *
 * A card is an attached PF. A chan is an entry of the table of the card's firmware. A pipe is an
 * open end of a chan, and each channel fd stands for a pipe (pipe.h).
 *
 * Lock order, outermost first:
 *   device_lock(PF) or rtnl
 *   cards_lock (main.c)
 *   card->win_sem; for a link between two cards first that of the sending card
 *   pipe->cancel_lock, or card->bind_lock, card->device_lock, card->orphan_lock
 *   card->mbox_lock, or card->pipes_lock and then links_lock (link.c)
 *   pipe->lock
 *   held_lock (dma.c), push_lock (peer_ring.c), devices_lock (device.c), the innermost
 * mmap_lock comes before pipe->lock (page faults), so user memory is not accessed under
 * pipe->lock. User memory is not accessed under win_sem either: user space can delay a page
 * fault without bound, and would delay the detach.
 */
#ifndef NFPC_CARD_H
#define NFPC_CARD_H

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/msi_api.h>
#include <linux/kref.h>
#include <linux/rwsem.h>
#include <linux/scatterlist.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <nfpchan/nfp_chan_peer.h>
#include <nfp_chan_fw.h>

struct eventfd_ctx;
struct file;
struct nfpc_device;
struct pci_dev;
struct user_struct;

/* The part of the PCIe-internal window that the module maps: SRAM and all queues. */
#define NFPC_WIN_SIZE		0x100000

/**
 * struct nfpc_window - the window to the card that nfp.ko keeps open
 * @base: mapping of the first NFPC_WIN_SIZE bytes
 * @phys: physical address of these bytes
 * @csr: offset in configuration space of the register that sets up the window
 */
struct nfpc_window {
	void __iomem *base;
	phys_addr_t phys;
	unsigned int csr;
};

/**
 * struct nfpc_vector - an MSI-X vector that was allocated beside those of nfp
 * @map: entry of the MSI-X table, and Linux interrupt; virq 0: there is no vector
 * @name: name in /proc/interrupts
 */
struct nfpc_vector {
	struct msi_map map;
	char *name;
};

/**
 * struct nfpc_buf - memory for DMA: pages of the kernel, or pinned pages of a process
 * @ref: references of the owner and of each mapping
 * @cpu: address of the kernel's pages, which are contiguous; NULL for pages of a process
 * @pages: the pages of a process; NULL for pages of the kernel
 * @count: number of pages
 * @payer: the user that is charged, a reference; NULL: no user is
 * @mm: whose @pages are pinned, a reference
 * @lost: a card may write to the pages until the next boot, so they are never freed
 */
struct nfpc_buf {
	struct kref ref;
	void *cpu;
	struct page **pages;
	unsigned int count;
	struct user_struct *payer;
	struct mm_struct *mm;
	bool lost;
};

static inline size_t nfpc_buf_size(const struct nfpc_buf *buf)
{
	return (size_t)buf->count << PAGE_SHIFT;
}

/**
 * struct nfpc_dma - a mapping for the DMA of a card: of a buffer, or of a part of another
 *	device's BAR
 * @buf: the buffer, a reference. Of a BAR: NULL, or the page that nfpc_bar_block() has put there
 * @sgt: the pages of the buffer
 * @addr: the DMA address
 * @size: bytes
 * @bar: the mapping is of a BAR
 * @mapped: the DMA API has a mapping at @addr
 * @pf: of a held mapping (dma.c): the PF that may still use it
 * @node: of a held mapping: in the list of dma.c
 */
struct nfpc_dma {
	struct nfpc_buf *buf;
	struct sg_table sgt;
	dma_addr_t addr;
	size_t size;
	bool bar;
	bool mapped;
	struct device *pf;
	struct list_head node;
};

/**
 * struct nfpc_chan - a channel of the firmware's table
 *
 * All fields but the last four are constant. @elem_size: bytes of each message or element, or 0.
 * @depth: 0 for a rendezvous. @irqs and @signals count since the attach.
 * card->sig_lock protects @sig_count, the value of the signal word, and card->pipes_lock
 * protects @pipes, the number of open pipes.
 */
struct nfpc_chan {
	char name[NFP_CHAN_NAME_LEN];
	u32 id;
	u32 dir;
	u32 flags;
	u32 kind;
	u32 elem_size;
	u32 max_size;
	u32 depth;
	u8 island;
	u8 me;
	u8 ctx;
	char process[NFP_CHAN_NAME_LEN];
	atomic64_t irqs;
	atomic64_t signals;
	u32 sig_count;
	u32 pipes;
};

/* The number of inline pages that would fill PCIe SRAM */
#define NFPC_INLINE_MAX	(NFP_CHAN_FW_SRAM_SIZE / NFP_CHAN_FW_INLINE_PAGE)

/* The number of pages of queue controllers: each signal doorbell has one */
#define NFPC_SIGNAL_DB_MAX	64

/* A card's memory for rings that other cards write to: largest number and size of blocks */
#define NFPC_PUSH_BLOCKS	32
#define NFPC_PUSH_BLOCK		SZ_64K

/* Counters of a channel or of a link, in host order */
struct nfpc_stat {
	u64 msgs;
	u64 bytes;
	u64 dropped;
	u64 stalled;
};

/**
 * struct nfpc_fw - the control block, checked and in host order
 *
 * All fields are constant. Offsets count from the control block.
 */
struct nfpc_fw {
	u16 abi_major;
	u16 abi_minor;
	u32 boot_id;
	u32 chan_count;
	u32 pipe_count;
	u64 queue_pages;
	u32 mbox_queue;
	u32 sig_queue;
	u32 chan_off;
	u32 chan_stride;
	u32 stat_off;
	u32 mbox_off;
	u32 sig_off;
	u32 me_mhz;
	u32 inline_off;
	u32 inline_count;
	u32 signal_db_count;
	u32 link_off;
	u64 push_addr;
	u32 push_size;
	char name[32];
	char version[32];
	struct nfpc_chan *chans;
};

/**
 * enum nfpc_card_state - states of a card
 * @NFPC_CARD_GONE: not attached, and nothing of the PF may be used. This state begins and ends
 *	with win_sem held for writing. So it is exact for a holder of win_sem, else a hint
 * @NFPC_CARD_LIVE: attached
 * @NFPC_CARD_STALE: attached, but the window or the firmware looked different from those of the
 *	attach. The scan looks again under device_lock, and the card is LIVE again or detached
 * @NFPC_CARD_LEAVING: the detach waits for win_sem. New commands fail at once
 */
enum nfpc_card_state {
	NFPC_CARD_GONE,
	NFPC_CARD_LIVE,
	NFPC_CARD_STALE,
	NFPC_CARD_LEAVING,
};

/**
 * struct nfpc_card - an attached PF
 * @dev: the class device, whose references keep this struct
 * @cdev: /dev/nfp_chanN
 * @pdev: the PF; valid until the state is NFPC_CARD_GONE
 * @node: in the list of cards; cards_lock (main.c)
 * @win: the window; valid until the state is NFPC_CARD_GONE
 * @fw: the tables of the firmware
 * @port: stands for a channel in the pipes of ports
 * @win_sem: held for reading by every user of the PF or of the window, and for writing by the
 *	detach, which so waits for all users. No user memory is accessed under it
 * @state: enum nfpc_card_state
 * @mbox_lock: held over a command; protects the mailbox, @mbox_seq, @mute and @odd
 * @mbox_seq: number of the last command
 * @mute: the last command was not answered
 * @odd: the last answer had an unknown status
 * @rsp: memory for the response
 * @mbox_vec: interrupt of the mailbox
 * @mbox_wq: mbox_exec() waits here for the response
 * @sig_lock: protects the signal words and their queue controller
 * @bind_lock: protects pipe->binds; held over BIND and UNBIND
 * @no_peers: the card detaches, and gets no more links to other cards; links_lock (link.c)
 * @device_lock: protects pipe->device and @devices; held over DEVICE
 * @devices: the devices of all pipes
 * @orphan_lock: held while orphans are closed
 * @pipes_lock: protects @pipes, @orphans, @pipe_map, @pipe_owner, @inline_map,
 *	@signal_db_map and chan->pipes
 * @pipes: the open pipes
 * @pipe_map: the numbers of pipes that are in use
 * @pipe_owner: for each number in use, the user against whose limit the pipe counts
 * @inline_map: the inline pages that are in use
 * @signal_db_map: the signal doorbells that are in use
 * @orphans: pipes whose file is gone, and whose close the card has not confirmed
 * @health: periodic work (card.c)
 * @gfp: GFP_DMA32 if the card cannot reach all memory, or 0; constant
 * @dma_bytes: bytes that are mapped for the card
 */
struct nfpc_card {
	struct device dev;
	struct cdev cdev;
	struct pci_dev *pdev;
	struct list_head node;
	struct nfpc_window win;
	struct nfpc_fw fw;
	struct nfpc_chan port;

	struct rw_semaphore win_sem;
	enum nfpc_card_state state;

	struct mutex mbox_lock;		/* one command at a time */
	u32 mbox_seq;
	bool mute;
	bool odd;
	struct nfpc_dma *rsp;
	struct nfpc_vector mbox_vec;
	wait_queue_head_t mbox_wq;

	spinlock_t sig_lock;		/* signal words and their queue */
	struct mutex bind_lock;		/* pipe->binds */
	bool no_peers;

	struct mutex device_lock;	/* pipe->device */
	struct list_head devices;

	struct mutex orphan_lock;	/* one thread at a time closes orphans */
	struct mutex pipes_lock;	/* pipes, orphans, *_map */
	struct list_head pipes;
	DECLARE_BITMAP(pipe_map, NFP_CHAN_FW_PIPE_MAX);
	kuid_t pipe_owner[NFP_CHAN_FW_PIPE_MAX];
	DECLARE_BITMAP(inline_map, NFPC_INLINE_MAX);
	DECLARE_BITMAP(signal_db_map, NFPC_SIGNAL_DB_MAX);
	struct list_head orphans;
	struct delayed_work health;
	gfp_t gfp;
	atomic_long_t dma_bytes;
};

static inline bool nfpc_card_live(const struct nfpc_card *card)
{
	return READ_ONCE(card->state) != NFPC_CARD_GONE;
}

/* main.c */
void nfpc_scan_schedule(void);

/* card.c: attach and detach under cards_lock, attach under device_lock(PF), too */
int nfpc_cards_init(void);
void nfpc_cards_exit(void);
struct nfpc_card *nfpc_card_attach(struct pci_dev *pdev);
void nfpc_card_detach(struct nfpc_card *card);
void nfpc_card_set_stale(struct nfpc_card *card);
bool nfpc_card_is_stale(struct nfpc_card *card);
void nfpc_health_schedule(struct nfpc_card *card, unsigned long delay);

/* link.c */
void nfpc_peers_end(struct nfpc_card *card);

/* peer_ring.c */
void nfpc_push_free(struct device *dev, bool removed);

/* card_file.c */
extern const struct file_operations nfpc_card_fops;
int nfpc_card_signal(struct nfpc_card *card, struct nfpc_chan *chan, bool owner);

/* pf.c */
bool nfpc_pf_match(struct device *dev);
bool nfpc_pf_has_netdev(struct device *dev);
bool nfpc_pf_usable(struct device *dev);

enum nfpc_window_state {
	NFPC_WINDOW_OK,
	NFPC_WINDOW_MOVED,	/* nfp.ko has closed the window, or uses it differently */
	NFPC_WINDOW_REBOOTED,	/* the firmware was restarted after the attach */
	NFPC_WINDOW_LOST,	/* there is no channel firmware in the window */
	NFPC_WINDOW_DEAD,	/* the device does not answer */
};

int nfpc_window_open(struct nfpc_card *card);
void nfpc_window_close(struct nfpc_card *card);
enum nfpc_window_state nfpc_window_state(struct nfpc_card *card);
bool nfpc_window_check(struct nfpc_card *card);
void __iomem *nfpc_sram(struct nfpc_card *card, u32 off);
void __iomem *nfpc_queue(struct nfpc_card *card, unsigned int queue);
phys_addr_t nfpc_queue_phys(struct nfpc_card *card, unsigned int queue);
phys_addr_t nfpc_window_mu(struct nfpc_card *card, u64 addr, size_t len);
phys_addr_t nfpc_inline_phys(struct nfpc_card *card, unsigned int page);
void nfpc_queue_add(struct nfpc_card *card, unsigned int queue, u32 n);
void nfpc_sram_read(struct nfpc_card *card, u32 off, void *buf, size_t len);

/* fw.c */
int nfpc_fw_read(struct nfpc_card *card);
int nfpc_fw_stat(struct nfpc_card *card, u32 off, struct nfpc_stat *s);

/* mbox.c */
/**
 * union nfpc_req - a request to the firmware
 * @req: all other commands
 * @link: LINK
 * @device: DEVICE
 *
 * All three have number, command and pipe at the same offsets.
 */
union nfpc_req {
	struct nfp_chan_fw_req req;
	struct nfp_chan_fw_link link;
	struct nfp_chan_fw_device device;
};

int nfpc_mbox_start(struct nfpc_card *card);
void nfpc_mbox_stop(struct nfpc_card *card, bool quiet);
int nfpc_mbox_exec(struct nfpc_card *card, u16 cmd, u16 pipe, union nfpc_req *req, bool *unsure);
int nfpc_mbox_simple(struct nfpc_card *card, u16 cmd, u16 pipe, bool *unsure);

/* irq.c */
int nfpc_vector_alloc(struct nfpc_card *card, struct nfpc_vector *vec,
		      irq_handler_t handler, void *arg, const char *what);
void nfpc_vector_free(struct nfpc_card *card, struct nfpc_vector *vec,
		      void *arg);

/* dma.c */
bool nfpc_translated(struct device *dev);
struct nfpc_buf *nfpc_buf_alloc(size_t size, gfp_t gfp);
struct nfpc_buf *nfpc_buf_pin(u64 addr, size_t size);
void nfpc_buf_put(struct nfpc_buf *buf);
struct nfpc_dma *nfpc_dma_map(struct nfpc_card *card, struct nfpc_buf *buf);
struct nfpc_dma *nfpc_bar_map(struct nfpc_card *card, struct pci_dev *pdev, phys_addr_t phys,
			      size_t len);
void nfpc_bar_block(struct nfpc_card *card, struct nfpc_dma *dma);
void nfpc_dma_end(struct nfpc_card *card, struct nfpc_dma *dma, bool quiet);
void nfpc_held_free(struct device *dev, bool removed);
size_t nfpc_held_bytes(struct nfpc_card *card);

/* reach.c */
enum nfpc_route {
	NFPC_ROUTE_BUS,		/* by the address that the register has on the bus */
	NFPC_ROUTE_IOMMU,	/* by an address that the IOMMU translates */
	NFPC_ROUTE_NONE,	/* the kernel's policy does not allow it */
};

enum nfpc_route nfpc_route(struct pci_dev *from, struct pci_dev *to);
dma_addr_t nfpc_bus_addr(struct pci_dev *pdev, phys_addr_t phys, size_t len);

/* device.c */
void nfpc_device_lost(struct pci_dev *pdev);
void nfpc_devices_retry(struct nfpc_card *card);

/* account.c */
int nfpc_account_init(void);
struct user_struct *nfpc_payer_get(void);
int nfpc_charge(struct user_struct *payer, size_t size);
void nfpc_uncharge(struct user_struct *payer, size_t size);
bool nfpc_user_has_room(struct nfpc_card *card);
bool nfpc_may_map(void);
kuid_t nfpc_pipe_user(void);

/* pipe.c */
void nfpc_orphans_close(struct nfpc_card *card);

/* ioctl.c */
/* Bytes of the largest struct of an ioctl */
#define NFPC_ARG_MAX	256

/**
 * struct nfpc_ioctl - an ioctl of one kind of file
 * @cmd: the ioctl's number
 * @size: bytes of the struct that this module knows
 * @min: bytes of the struct's first version
 * @out: the struct has fields that @fn fills in: nfpc_ioctl() sets its size, and copies it back
 *	to user space when @fn succeeds
 * @fn: the function; @uarg is the user's struct that @arg is a copy of
 */
struct nfpc_ioctl {
	unsigned int cmd;
	u32 size;
	u32 min;
	bool out;
	int (*fn)(struct file *file, void *arg, void __user *uarg);
};

/* @_last: the last field of the first version of struct @type, which never changes. */
#define NFPC_IOCTL(_cmd, _fn, type, _last, _out) {			\
	.cmd = (_cmd),							\
	.size = sizeof(struct type) +					\
		BUILD_BUG_ON_ZERO(sizeof(struct type) > NFPC_ARG_MAX) + \
		BUILD_BUG_ON_ZERO(offsetof(struct type, size)),		\
	.min = offsetofend(struct type, _last),				\
	.out = (_out),							\
	.fn = (_fn),							\
}

long nfpc_ioctl(const struct nfpc_ioctl *tab, unsigned int count,
		struct file *file, unsigned int cmd, unsigned long arg);
int nfpc_fd_install(int fd, struct file *file, __s32 __user *ufd);

#endif /* NFPC_CARD_H */
