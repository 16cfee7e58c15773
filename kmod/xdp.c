// SPDX-License-Identifier: GPL-2.0-only
/*
 * xdp.c - events of offloaded XDP programs: bindings of event maps to pipes.
 *
 * The card identifies a map by the kernel's id. A binding holds a reference of a program,
 * and the program holds the map, so no other map gets the id.
 *
 * The offload of a program can end although the program is held, but only when nfp
 * unregisters the PF's last netdev: before that the core moves programs to another netdev.
 * The detach of the card comes before that unregistration (main.c), waits for win_sem, and
 * makes the card forget all bindings.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/llist.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "pipe.h"

/**
 * struct nfpc_bind - a map whose events go to a pipe
 * @node: in pipe->binds; card->bind_lock
 * @dead: in dead_binds, after the detach of the card
 * @prog: a program that uses the map; a reference
 * @map_id: the kernel's id of the map
 */
struct nfpc_bind {
	union {
		struct list_head node;
		struct llist_node dead;
	};
	struct bpf_prog *prog;
	u32 map_id;
};

/*
 * The last put of an offloaded program takes rtnl. A detach may run under rtnl, so it leaves
 * the bindings here, and a work item puts their programs.
 */
static LLIST_HEAD(dead_binds);

static void bind_free(struct nfpc_bind *bind)
{
	bpf_prog_put(bind->prog);
	kfree(bind);
}

static void dead_binds_free(struct work_struct *work)
{
	struct llist_node *list = llist_del_all(&dead_binds);
	struct nfpc_bind *bind, *next;

	llist_for_each_entry_safe(bind, next, list, dead)
		bind_free(bind);
}

static DECLARE_WORK(dead_work, dead_binds_free);

void nfpc_xdp_exit(void)
{
	flush_work(&dead_work);
}

static int netdev_match(struct device *child, void *arg)
{
	if (!child->class || strcmp(child->class->name, "net"))
		return 0;
	return bpf_offload_dev_match(arg, to_net_dev(child));
}

static bool prog_uses(struct bpf_prog *prog, u32 map_id)
{
	struct bpf_prog_aux *aux = prog->aux;
	bool found = false;
	u32 i;

	mutex_lock(&aux->used_maps_mutex);
	for (i = 0; i < aux->used_map_cnt && !found; i++)
		found = aux->used_maps[i]->id == map_id &&
			aux->used_maps[i]->map_type == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	mutex_unlock(&aux->used_maps_mutex);
	return found;
}

/* The card is live and win_sem is held, so programs and netdevs stay as they are. */
static int bind_check(struct nfpc_pipe *p, struct bpf_prog *prog, u32 map_id)
{
	if (!(p->chan->flags & NFP_CHAN_F_XDP))
		return -EOPNOTSUPP;
	if (!bpf_prog_is_offloaded(prog->aux))
		return -ENXIO;
	if (!device_for_each_child(&p->card->pdev->dev, prog, netdev_match))
		return -EXDEV;
	return prog_uses(prog, map_id) ? 0 : -ENOENT;
}

static int bind_cmd(struct nfpc_pipe *p, u16 number, u32 map_id, bool *unsure)
{
	union nfpc_req req = {
		.req.cmd = cpu_to_le16(number),
		.req.pipe = cpu_to_le16(p->nr),
		.req.map_id = cpu_to_le32(map_id),
	};
	struct nfpc_answer answer;
	int err;

	err = nfpc_mbox_exec(p->card, &req, &answer);
	*unsure = answer.unsure;
	return err;
}

/* Return: true if the pipe owns @bind from now on. That is possible with an error, too. */
static bool bind_add(struct nfpc_pipe *p, struct nfpc_bind *bind, int *err)
{
	struct nfpc_card *card = p->card;
	bool added;

	mutex_lock(&card->bind_lock);
	*err = bind_cmd(p, NFP_CHAN_FW_CMD_BIND, bind->map_id, &added);
	/* Without an answer the card may still bind the map, so the pipe keeps the binding. */
	added |= !*err;
	if (added)
		list_add_tail(&bind->node, &p->binds);
	mutex_unlock(&card->bind_lock);
	switch (*err) {
	case -ENOENT:
		*err = -EIO;	/* the card has turned the pipe off */
		break;
	case -EINVAL:
	case -EOPNOTSUPP:
		dev_warn_ratelimited(&card->pdev->dev,
				     "firmware refused to bind map %u to %s: %pe\n",
				     bind->map_id, p->name, ERR_PTR(*err));
		*err = -EIO;
		break;
	}
	return added;
}

/* NFP_CHAN_IOC_XDP_BIND, whose errors it returns. */
int nfpc_xdp_bind(struct nfpc_pipe *p, int prog_fd, u32 map_id)
{
	struct nfpc_card *card = p->card;
	struct nfpc_bind *bind;
	int err;

	bind = kzalloc(sizeof(*bind), GFP_KERNEL_ACCOUNT);
	if (!bind)
		return -ENOMEM;
	bind->map_id = map_id;
	bind->prog = bpf_prog_get_type_dev(prog_fd, BPF_PROG_TYPE_XDP, true);
	if (IS_ERR(bind->prog)) {
		/* EINVAL: the fd is that of another file, or of a program of another type. */
		err = PTR_ERR(bind->prog) == -EINVAL ? -EBADF : PTR_ERR(bind->prog);
		kfree(bind);
		return err;
	}
	down_read(&card->win_sem);
	err = nfpc_card_live(card) ? bind_check(p, bind->prog, map_id) : -ENODEV;
	if (!err && bind_add(p, bind, &err))
		bind = NULL;
	up_read(&card->win_sem);
	if (bind)
		bind_free(bind);
	return err;
}

static struct nfpc_bind *bind_find(struct nfpc_pipe *p, u32 map_id)
{
	struct nfpc_bind *bind;

	list_for_each_entry(bind, &p->binds, node)
		if (bind->map_id == map_id)
			return bind;
	return NULL;
}

/* Without an answer of the card the binding stays until the pipe is closed. */
static int bind_del(struct nfpc_pipe *p, struct nfpc_bind *bind)
{
	bool unsure;
	int err = bind_cmd(p, NFP_CHAN_FW_CMD_UNBIND, bind->map_id, &unsure);

	if (err == -ENOENT)
		err = 0;	/* BIND was not answered, and not executed */
	else if (err == -EINVAL || err == -EOPNOTSUPP)
		err = -EIO;
	if (!err)
		list_del(&bind->node);
	return err;
}

int nfpc_xdp_unbind(struct nfpc_pipe *p, u32 map_id)
{
	struct nfpc_card *card = p->card;
	struct nfpc_bind *bind = NULL;
	int err = -ENODEV;

	down_read(&card->win_sem);
	if (nfpc_card_live(card)) {
		mutex_lock(&card->bind_lock);
		bind = bind_find(p, map_id);
		err = bind ? bind_del(p, bind) : -ENOENT;
		mutex_unlock(&card->bind_lock);
	}
	up_read(&card->win_sem);
	if (!err)
		bind_free(bind);
	return err;
}

/* The pipe was closed or never opened, so no other thread has it, and no lock is needed. */
void nfpc_xdp_release(struct nfpc_pipe *p)
{
	struct nfpc_bind *bind, *next;

	list_for_each_entry_safe(bind, next, &p->binds, node)
		bind_free(bind);
}

/* The card has forgotten all bindings. They are put by a work, because a put may take rtnl. */
void nfpc_xdp_revoke(struct nfpc_pipe *p)
{
	struct nfpc_bind *bind, *next;

	lockdep_assert_held(&p->card->win_sem);
	list_for_each_entry_safe(bind, next, &p->binds, node) {
		list_del(&bind->node);
		llist_add(&bind->dead, &dead_binds);
	}
	schedule_work(&dead_work);
}

/* For fdinfo */
void nfpc_xdp_show(struct seq_file *m, struct nfpc_pipe *p)
{
	struct nfpc_bind *bind;

	lockdep_assert_held(&p->card->win_sem);
	mutex_lock(&p->card->bind_lock);
	list_for_each_entry(bind, &p->binds, node)
		seq_printf(m, "xdp:\tmap %u prog %u\n", bind->map_id, bind->prog->aux->id);
	mutex_unlock(&p->card->bind_lock);
}
