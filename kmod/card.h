/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * card.h - the objects of the module and who owns each piece of their state.
 *
 * A card is an attached PF, a chan an entry of its firmware's table, a pipe an
 * open end of a chan: what a channel fd stands for.
 *
 * Lock order, outermost first:
 *   device_lock(PF) or rtnl
 *   cards_lock (main.c)
 *   peer_lock (peer.c)
 *   card->win_sem; of a link between two cards that of the sending card first
 *   pipe->cancel_lock, or card->bind_lock, card->link_lock, card->device_lock,
 *   card->orphan_lock
 *   card->mbox_lock, or card->pipes_lock
 *   pipe->lock
 *   held_lock (dma.c), inside of which there is none
 * mmap_lock comes before pipe->lock (page faults), so no user memory is
 * touched under pipe->lock. Nor is it under win_sem: a fault that user space
 * never resolves would hold up the detach.
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
#include <nfpchan/nfp_chan.h>
#include <nfp_chan_fw.h>

struct eventfd_ctx;
struct file;
struct nfpc_device;
struct pci_dev;
struct user_struct;

/* What the host maps of the PCIe-internal window: SRAM and all queues. */
#define NFPC_WIN_SIZE		0x100000

/**
 * struct nfpc_window - the window to the card that nfp.ko keeps open
 * @base: its first NFPC_WIN_SIZE bytes, mapped by us
 * @phys: where they are on the bus
 * @csr: offset in configuration space of the register that sets it up
 */
struct nfpc_window {
	void __iomem *base;
	phys_addr_t phys;
	unsigned int csr;
};

/**
 * struct nfpc_vector - an MSI-X vector allocated beside nfp's own
 * @map: entry of the table and Linux interrupt; virq 0: none
 * @name: of its line in /proc/interrupts
 */
struct nfpc_vector {
	struct msi_map map;
	char *name;
};

/**
 * struct nfpc_buf - memory for DMA: pages of the kernel, or pinned ones of a process
 * @ref: of the owner, and of each mapping
 * @cpu: address of the kernel's pages, which are in one piece; NULL: they are a process's
 * @pages: a process's pages; NULL: they are the kernel's
 * @count: pages
 * @payer: the user who is charged, a reference; NULL: nobody
 * @lost: a card may write to the pages until the next boot: they are never freed
 */
struct nfpc_buf {
	struct kref ref;
	void *cpu;
	struct page **pages;
	unsigned int count;
	struct user_struct *payer;
	bool lost;
};

static inline size_t nfpc_buf_size(const struct nfpc_buf *buf)
{
	return (size_t)buf->count << PAGE_SHIFT;
}

/**
 * struct nfpc_dma - a buffer that a card may use
 * @buf: the buffer, a reference
 * @sgt: its pages
 * @addr: the DMA address
 * @pf: once the mapping has ended and the buffer is still in the card's hands: the PF
 * @node: then in a list of dma.c
 */
struct nfpc_dma {
	struct nfpc_buf *buf;
	struct sg_table sgt;
	dma_addr_t addr;
	struct device *pf;
	struct list_head node;
};

/**
 * struct nfpc_chan - a channel of the firmware's table
 *
 * All but the last four are constant while attached. @irqs and @signals count
 * since the attach. @sig_count, what the signal word holds, belongs to
 * card->sig_lock, @pipes to card->pipes_lock.
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
	atomic64_t irqs;
	atomic64_t signals;
	u32 sig_count;
	u32 pipes;
};

/* Inline pages: as many as PCIe SRAM could hold. */
#define NFPC_INLINE_MAX	(NFP_CHAN_FW_SRAM_SIZE / NFP_CHAN_FW_INLINE_PAGE)

/* Signal doorbells: as many as the queues above nfp's would be. */
#define NFPC_SIGNAL_DB_MAX	64

/* Memory of the card for rings that another card writes into: pieces, and bytes of each. */
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
 * Constant while attached. Offsets are those from the control block.
 */
struct nfpc_fw {
	u16 abi_major;
	u16 abi_minor;
	u32 boot_id;
	u32 chan_count;
	u32 pipe_count;
	u32 queue_base;
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
	u32 signal_db_base;
	u32 signal_db_count;
	u32 link_off;
	u64 push_addr;
	u32 push_size;
	char name[32];
	char version[32];
	struct nfpc_chan *chans;
};

/**
 * enum nfpc_card_state - the life of a card
 * @NFPC_CARD_GONE: not attached: nothing of the PF may be used. Set and left with @win_sem held
 *	for writing, so it is exact for all who hold @win_sem, and a hint for others
 * @NFPC_CARD_LIVE: attached
 * @NFPC_CARD_STALE: attached, but somebody has seen a window or a firmware that are not those of
 *	the attach. The scan looks again under device_lock: then the card is LIVE, or is detached
 * @NFPC_CARD_LEAVING: the detach waits for @win_sem. Commands end with an error at once
 */
enum nfpc_card_state {
	NFPC_CARD_GONE,
	NFPC_CARD_LIVE,
	NFPC_CARD_STALE,
	NFPC_CARD_LEAVING,
};

/**
 * struct nfpc_card - an attached PF
 * @dev: the class device; its reference count keeps the struct
 * @cdev: /dev/nfp_chanN
 * @pdev: the PF; valid until the state is NFPC_CARD_GONE
 * @node: in the list of cards, cards_lock
 * @win: the window; usable as long
 * @fw: what the firmware offers
 * @port: in place of a channel of its table: what ports are pipes of
 * @win_sem: held for reading around everything that needs the PF or the
 *	window, but user memory; for writing by the detach, which so waits for
 *	all of it
 * @state: enum nfpc_card_state
 * @mbox_lock: one command at a time: @mbox_seq, @mute, @odd and the mailbox itself
 * @mbox_seq: number of the last command
 * @mute: it was not answered
 * @odd: it was, but with a status that there is not
 * @rsp: where the card puts the response
 * @mbox_vec: its interrupt
 * @mbox_wq: where the commander waits
 * @sig_lock: the signal words and their queue controller
 * @bind_lock: pipe->binds; held over the commands that change them
 * @link_lock: which pipes are linked; held over the commands that change it
 * @no_peers: it leaves, and gets no more links to other cards; peer_lock (peer.c)
 * @push_map: pieces of its memory that rings of such links are in; peer_lock
 * @device_lock: pipe->device, @devices; held over the commands that change them
 * @devices: of its pipes
 * @orphan_lock: held while orphans are closed
 * @pipes_lock: @pipes, @orphans, @pipe_map, @pipe_owner, @inline_map, @signal_db_map,
 *	chan->pipes
 * @pipes: open pipes
 * @pipe_map: numbers of the pipes in use
 * @pipe_owner: of each number in use: the user whose limit it counts against
 * @inline_map: inline pages in use
 * @orphans: pipes whose files are gone, and whose close the card has not confirmed
 * @health: looks after the card, its orphans and its sleepers
 * @gfp: where memory for DMA has to be, GFP_DMA32 or 0; constant
 * @dma_bytes: memory that is mapped for the card
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

	struct mutex bind_lock;		/* the pipes' binds */
	struct mutex link_lock;		/* pipe->link */
	bool no_peers;			/* peer_lock, as the next */
	DECLARE_BITMAP(push_map, NFPC_PUSH_BLOCKS);

	struct mutex device_lock;	/* the pipes' devices */
	struct list_head devices;

	struct mutex orphan_lock;	/* one thread at a time closes orphans */
	struct mutex pipes_lock;	/* pipes, orphans, *_map */
	struct list_head pipes;
	DECLARE_BITMAP(pipe_map, NFP_CHAN_PIPE_MAX);
	kuid_t pipe_owner[NFP_CHAN_PIPE_MAX];
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
struct nfpc_chan *nfpc_chan_find(struct nfpc_card *card, const char *name);

/* peer.c */
void nfpc_peer_detach(struct nfpc_card *card);

/* card_file.c */
extern const struct file_operations nfpc_card_fops;
int nfpc_card_signal(struct nfpc_card *card, struct nfpc_chan *chan, bool owner);

/* pf.c */
bool nfpc_pf_match(struct device *dev);
bool nfpc_pf_has_netdev(struct device *dev);
bool nfpc_pf_usable(struct device *dev);

enum nfpc_window_state {
	NFPC_WINDOW_OK,
	NFPC_WINDOW_MOVED,	/* nfp.ko has closed it or uses it otherwise */
	NFPC_WINDOW_REBOOTED,	/* another run of the firmware is behind it */
	NFPC_WINDOW_LOST,	/* no channel firmware is to be seen there */
	NFPC_WINDOW_DEAD,	/* the device does not answer at all */
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
void nfpc_fw_free(struct nfpc_card *card);
int nfpc_fw_stat(struct nfpc_card *card, u32 off, struct nfpc_stat *s);

/* mbox.c */
/**
 * union nfpc_req - a request to the firmware
 * @req: all commands but those below
 * @link: LINK
 * @device: DEVICE
 *
 * Number, command and pipe are at the same place in each.
 */
union nfpc_req {
	struct nfp_chan_fw_req req;
	struct nfp_chan_fw_link link;
	struct nfp_chan_fw_device device;
};

/**
 * struct nfpc_answer - what became of a request
 * @value: of the response
 * @unsure: the card may have done it, or may do it later
 */
struct nfpc_answer {
	u32 value;
	bool unsure;
};

size_t nfpc_mbox_size(const struct nfpc_fw *fw);
int nfpc_mbox_start(struct nfpc_card *card);
void nfpc_mbox_stop(struct nfpc_card *card, bool quiet);
int nfpc_mbox_goodbye(struct nfpc_card *card, bool *unsure);
int nfpc_mbox_exec(struct nfpc_card *card, union nfpc_req *req, struct nfpc_answer *answer);
int nfpc_mbox_simple(struct nfpc_card *card, u16 cmd, u16 pipe, struct nfpc_answer *answer);

/* irq.c */
int nfpc_vector_alloc(struct nfpc_card *card, struct nfpc_vector *vec,
		      irq_handler_t handler, void *arg, const char *what);
void nfpc_vector_free(struct nfpc_card *card, struct nfpc_vector *vec,
		      void *arg);

/* dma.c */
bool nfpc_translated(struct device *dev);
struct nfpc_buf *nfpc_buf_alloc(size_t size, struct user_struct *payer, gfp_t gfp);
struct nfpc_buf *nfpc_buf_pin(u64 addr, size_t size, struct user_struct *payer);
void nfpc_buf_put(struct nfpc_buf *buf);
struct nfpc_dma *nfpc_dma_map(struct nfpc_card *card, struct nfpc_buf *buf);
void nfpc_dma_end(struct nfpc_card *card, struct nfpc_dma *dma, bool quiet);
void nfpc_held_free(struct nfpc_card *card);
size_t nfpc_held_bytes(struct nfpc_card *card);
void nfpc_held_leak(struct device *dev);

/* reach.c */
int nfpc_bar_map(struct nfpc_card *card, struct pci_dev *pdev, phys_addr_t phys, size_t len,
		 dma_addr_t *addr);
void nfpc_bar_unmap(struct nfpc_card *card, dma_addr_t addr, size_t len);

/* device.c */
void nfpc_device_drop(struct nfpc_card *card, struct nfpc_device *d, bool quiet);
void nfpc_device_lost(struct nfpc_card *card, struct pci_dev *pdev);

/* account.c */
struct user_struct *nfpc_payer_get(void);
struct user_struct *nfpc_payer_hold(struct user_struct *payer);
int nfpc_charge(struct user_struct *payer, size_t size);
void nfpc_uncharge(struct user_struct *payer, size_t size);
bool nfpc_user_has_room(struct nfpc_card *card);
kuid_t nfpc_pipe_user(void);

/* health.c */
void nfpc_health_init(struct nfpc_card *card);
void nfpc_health_start(struct nfpc_card *card);
void nfpc_health_stop(struct nfpc_card *card);
void nfpc_health_answered(struct nfpc_card *card);

/* pipe.c */
void nfpc_orphans_close(struct nfpc_card *card);

/* ioctl.c */
union nfpc_arg {
	u32 size;
	struct nfp_chan_info info;
	struct nfp_chan_query query;
	struct nfp_chan_open open;
	struct nfp_chan_signal signal;
	struct nfp_chan_layout layout;
	struct nfp_chan_eventfd eventfd;
	struct nfp_chan_cancel cancel;
	struct nfp_chan_xdp_bind xdp;
	struct nfp_chan_port port;
	struct nfp_chan_link link;
	struct nfp_chan_link_stat link_stat;
	struct nfp_chan_device device;
};

/**
 * struct nfpc_ioctl - an ioctl of one kind of file
 * @cmd: its number. The size encoded there is not looked at: a caller built
 *	with a longer struct has another
 * @size: of the struct as we know it, 0 for none
 * @min: of its first version, a number that never changes
 * @out: the struct goes back to user space when @fn succeeds
 * @fn: does it; @uarg is where @arg came from
 */
struct nfpc_ioctl {
	unsigned int cmd;
	u32 size;
	u32 min;
	bool out;
	int (*fn)(struct file *file, union nfpc_arg *arg, void __user *uarg);
};

#define NFPC_IOCTL(_cmd, _fn, _struct, _min, _out) {			\
	.cmd = (_cmd),							\
	.size = sizeof(struct _struct),					\
	.min = (_min),							\
	.out = (_out),							\
	.fn = (_fn),							\
}

long nfpc_ioctl(const struct nfpc_ioctl *tab, unsigned int count,
		struct file *file, unsigned int cmd, unsigned long arg);
bool nfpc_name_ok(const char *name);

#endif /* NFPC_CARD_H */
