// SPDX-License-Identifier: GPL-2.0-only
/*
 * xdp.c - events of offloaded XDP programs: bindings of event maps to pipes.
 *
 * The card identifies a map by the kernel's id. A binding holds the map, so no other map gets the
 * id.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bpf.h>
#include <linux/file.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "pipe.h"

/**
 * struct nfpc_bind - a map whose events go to a pipe
 * @node: in pipe->binds; card->bind_lock
 * @map: the map; a reference
 */
struct nfpc_bind {
	struct list_head node;
	struct bpf_map *map;
};

static void bind_free(struct nfpc_bind *bind)
{
	bpf_map_put(bind->map);
	kfree(bind);
}

static int netdev_match(struct device *child, void *arg)
{
	if (!child->class || strcmp(child->class->name, "net"))
		return 0;
	return bpf_offload_dev_match(arg, to_net_dev(child));
}

/*
 * The event map of @prog that @file is a descriptor of, or NULL. A module cannot ask whether a file
 * is that of a map. But no other file has a map of the program as its private data.
 */
static struct bpf_map *prog_map(struct bpf_prog *prog, const struct file *file)
{
	struct bpf_prog_aux *aux = prog->aux;
	struct bpf_map *map = NULL;
	u32 i;

	mutex_lock(&aux->used_maps_mutex);
	for (i = 0; i < aux->used_map_cnt && !map; i++)
		if (aux->used_maps[i] == file->private_data &&
		    aux->used_maps[i]->map_type == BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			map = aux->used_maps[i];
	mutex_unlock(&aux->used_maps_mutex);
	return map;
}

/* The card is live and win_sem is held, so programs and netdevs stay as they are. */
static int bind_check(struct nfpc_pipe *p, struct bpf_prog *prog)
{
	if (!(p->chan->flags & NFP_CHAN_F_XDP))
		return -EOPNOTSUPP;
	if (!bpf_prog_is_offloaded(prog->aux))
		return -ENXIO;
	if (!device_for_each_child(&p->card->pdev->dev, prog, netdev_match))
		return -EXDEV;
	return 0;
}

static int bind_cmd(struct nfpc_pipe *p, u16 number, u32 map_id, bool *unsure)
{
	union nfpc_req req = { .req.map_id = cpu_to_le32(map_id) };

	return nfpc_mbox_exec(p->card, number, p->nr, &req, unsure);
}

/* Return: true if the pipe owns @bind from now on. That is possible with an error, too. */
static bool bind_add(struct nfpc_pipe *p, struct nfpc_bind *bind, int *err)
{
	struct nfpc_card *card = p->card;
	bool added;

	guard(mutex)(&card->bind_lock);
	*err = bind_cmd(p, NFP_CHAN_FW_CMD_BIND, bind->map->id, &added);
	/* Without an answer the card may still bind the map, so the pipe keeps the binding. */
	added |= !*err;
	if (added)
		list_add_tail(&bind->node, &p->binds);
	switch (*err) {
	case -ENOENT:
		*err = -EIO;	/* the card has turned the pipe off */
		break;
	case -EINVAL:
	case -EOPNOTSUPP:
		dev_warn_ratelimited(&card->pdev->dev,
				     "firmware refused to bind map %u to %s: %pe\n",
				     bind->map->id, p->chan->name, ERR_PTR(*err));
		*err = -EIO;
		break;
	}
	return added;
}

static int bind_try(struct nfpc_pipe *p, struct bpf_prog *prog, const struct file *file)
{
	struct nfpc_card *card = p->card;
	struct nfpc_bind *bind;
	int err;

	bind = kzalloc(sizeof(*bind), GFP_KERNEL_ACCOUNT);
	if (!bind)
		return -ENOMEM;
	bind->map = prog_map(prog, file);
	if (bind->map)
		bpf_map_inc(bind->map);
	scoped_guard(rwsem_read, &card->win_sem) {
		err = nfpc_card_live(card) ? bind_check(p, prog) : -ENODEV;
		if (!err && !bind->map)
			err = -ENOENT;
		if (!err && bind_add(p, bind, &err))
			bind = NULL;
	}
	if (bind && bind->map)
		bpf_map_put(bind->map);
	kfree(bind);
	return err;
}

/*
 * NFP_CHAN_IOC_XDP_BIND, whose errors it returns. The program is put without win_sem: the last put
 * of an offloaded program takes rtnl, and a detach may wait with rtnl.
 */
int nfpc_xdp_bind(struct file *pipe, void *arg, void __user *uarg)
{
	const struct nfp_chan_xdp_bind *x = arg;
	struct bpf_prog *prog;
	struct file *file;
	int err;

	if (x->flags)
		return -EINVAL;
	file = fget(x->map_fd);
	if (!file)
		return -EBADF;
	prog = bpf_prog_get_type_dev(x->prog_fd, BPF_PROG_TYPE_XDP, true);
	if (IS_ERR(prog)) {
		/* EINVAL: the fd is that of another file, or of a program of another type. */
		err = PTR_ERR(prog) == -EINVAL ? -EBADF : PTR_ERR(prog);
	} else {
		err = bind_try(pipe->private_data, prog, file);
		bpf_prog_put(prog);
	}
	fput(file);
	return err;
}

static struct nfpc_bind *bind_find(struct nfpc_pipe *p, const struct file *file)
{
	struct nfpc_bind *bind;

	list_for_each_entry(bind, &p->binds, node)
		if (bind->map == file->private_data)
			return bind;
	return NULL;
}

/* Without an answer of the card the binding stays until the pipe is closed. */
static int bind_del(struct nfpc_pipe *p, const struct file *file)
{
	struct nfpc_bind *bind;
	bool unsure;
	int err;

	guard(rwsem_read)(&p->card->win_sem);
	guard(mutex)(&p->card->bind_lock);
	if (!nfpc_card_live(p->card))
		return -ENODEV;
	bind = bind_find(p, file);
	if (!bind)
		return -ENOENT;
	err = bind_cmd(p, NFP_CHAN_FW_CMD_UNBIND, bind->map->id, &unsure);
	if (err == -EINVAL || err == -EOPNOTSUPP)
		return -EIO;
	/* -ENOENT: BIND was not answered, and not executed. */
	if (err && err != -ENOENT)
		return err;
	list_del(&bind->node);
	bind_free(bind);
	return 0;
}

/* NFP_CHAN_IOC_XDP_UNBIND */
int nfpc_xdp_unbind(struct file *pipe, void *arg, void __user *uarg)
{
	const struct nfp_chan_xdp_bind *x = arg;
	struct nfpc_pipe *p = pipe->private_data;
	struct file *file;
	int err;

	if (x->flags || x->prog_fd != -1)
		return -EINVAL;
	file = fget(x->map_fd);
	if (!file)
		return -EBADF;
	err = bind_del(p, file);
	fput(file);
	return err;
}

/* The pipe ends. No other thread has it, or the card has detached. */
void nfpc_xdp_end(struct nfpc_pipe *p)
{
	struct nfpc_bind *bind, *next;

	lockdep_assert_held(&p->card->win_sem);
	list_for_each_entry_safe(bind, next, &p->binds, node) {
		list_del(&bind->node);
		bind_free(bind);
	}
}

/* For fdinfo */
void nfpc_xdp_show(struct seq_file *m, struct nfpc_pipe *p)
{
	struct nfpc_bind *bind;

	lockdep_assert_held(&p->card->win_sem);
	guard(mutex)(&p->card->bind_lock);
	list_for_each_entry(bind, &p->binds, node)
		seq_printf(m, "xdp:\tmap %u\n", bind->map->id);
}
