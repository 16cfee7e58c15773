// SPDX-License-Identifier: GPL-2.0-only
/*
 * account.c - limits: the host memory and the pipes of a card that one user may have, and the right
 * to map pages of the card.
 *
 * Memory is charged to user->locked_vm against RLIMIT_MEMLOCK, as in io_uring, AF_XDP and
 * iommufd. The limit holds for all processes of the user together. A count per process
 * (mm->locked_vm) would not do, because an fd may outlive the process that opened it. The
 * memory records the user that was charged, so setuid(), fork(), or a transfer of the fd to
 * another user do not change who is given the charge back.
 *
 * A card has few pipes, so without a limit one user could take all of them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/user_namespace.h>
#include "card.h"

static char *doorbells = "user";
module_param(doorbells, charp, 0444);
MODULE_PARM_DESC(doorbells,
		 "who may map pages of the card: user (default), or ioctl (only with CAP_SYS_RAWIO; others ring doorbells by ioctl)");

/* -EINVAL: the parameter has another value. */
int nfpc_account_init(void)
{
	if (!strcmp(doorbells, "user") || !strcmp(doorbells, "ioctl"))
		return 0;
	pr_err("doorbells=%s: must be user or ioctl\n", doorbells);
	return -EINVAL;
}

/* Is the caller a process that may map pages of the card? */
bool nfpc_may_map(void)
{
	return !strcmp(doorbells, "user") || ns_capable_noaudit(&init_user_ns, CAP_SYS_RAWIO);
}

/*
 * The user that the caller's memory is charged to, a reference. NULL: no user is charged. An
 * ordinary user lacks the capability and is charged, so that is nothing to audit.
 */
struct user_struct *nfpc_payer_get(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_IPC_LOCK) ? NULL : get_uid(current_user());
}

/* -ENOMEM, as from mlock(): the caller's RLIMIT_MEMLOCK would be exceeded. */
int nfpc_charge(struct user_struct *payer, size_t size)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long pages = PAGE_ALIGN(size) >> PAGE_SHIFT;
	long old, new;

	if (!payer)
		return 0;
	old = atomic_long_read(&payer->locked_vm);
	do {
		new = old + pages;
		if (new > limit)
			return -ENOMEM;
	} while (!atomic_long_try_cmpxchg(&payer->locked_vm, &old, new));
	return 0;
}

void nfpc_uncharge(struct user_struct *payer, size_t size)
{
	if (payer)
		atomic_long_sub(PAGE_ALIGN(size) >> PAGE_SHIFT, &payer->locked_vm);
}

/*
 * The user whose limit of pipes the caller's pipes count against. A user can make as many users
 * as he likes in a user namespace, so these count as the user that made the outermost namespace.
 */
kuid_t nfpc_pipe_user(void)
{
	const struct user_namespace *ns = current_user_ns();
	kuid_t uid = current_uid();

	for (; ns != &init_user_ns; ns = ns->parent)
		uid = ns->owner;
	return uid;
}

/* May the caller have one more of the card's pipes? */
bool nfpc_user_has_room(struct nfpc_card *card)
{
	unsigned int limit = max(card->fw.pipe_count / 2, 1U);
	kuid_t uid = nfpc_pipe_user();
	unsigned int nr, used = 0;

	lockdep_assert_held(&card->pipes_lock);
	for_each_set_bit(nr, card->pipe_map, card->fw.pipe_count)
		used += uid_eq(card->pipe_owner[nr], uid);
	return used < limit || capable(CAP_SYS_RESOURCE);
}
