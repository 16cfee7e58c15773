// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* local.c - variables of the devices on this machine, in the BPF maps that `ncl deploy` recorded. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
#include "bpf_sys.h"
#include "ncl_abi.h"
#include "local.h"
#include "ncl_state.h"
#include "rt.h"

#define LOCK_STEP	50000		/* ns */
#define LOCK_STEPS	2000
#define ELEMENT_MAX	4096		/* bytes of an element of a BPF map */

/**
 * struct access - a variable of a device
 * @program: name of the program
 * @var: the variable
 * @fd: BPF map of the variable
 * @lock: BPF map of the locks, or -1
 * @key: key of the variable's lock in @lock
 */
struct access {
	const char *program;
	const struct desc_var *var;
	int fd;
	int lock;
	uint32_t key;
};

/* ---- locks that kernels and hosts share ---- */

/*
 * Is the lock held by a host whose process has died? A kernel that holds a lock writes 1. Read the
 * lock again after kill(): the process may have released the lock before it ended, and another
 * process may have taken the lock since.
 */
static bool abandoned(const struct access *a)
{
	uint32_t pid, now;

	return !bpf_lookup(a->lock, &a->key, &pid) && pid > 1 && pid <= INT32_MAX &&
	       kill((pid_t)pid, 0) && errno == ESRCH &&
	       !bpf_lookup(a->lock, &a->key, &now) && now == pid;
}

/*
 * Delete the lock if it is abandoned. true: this call deleted it.
 *
 * Several hosts may find the same dead process. Without flock(), one host would delete the lock and
 * take it, and then another host would delete the lock that the first host has just taken. With
 * flock(), the lock cannot change between abandoned() and bpf_delete(): its owner is dead, and no
 * other host may delete it. Do not wait for flock(): its owner may be a process that was stopped.
 *
 * Process ids are those of the caller's pid namespace. A process of another pid namespace looks
 * dead here. So all hosts that use variables of one device must run in one pid namespace.
 */
static bool delete_abandoned(const struct access *a)
{
	char path[STATE_PATH];
	bool done = false;
	int fd;

	if (!abandoned(a))
		return false;
	fd = open(state_path(path, a->program, a->var->place), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (!flock(fd, LOCK_EX | LOCK_NB) && abandoned(a))
		done = !bpf_delete(a->lock, &a->key);
	close(fd);
	return done;
}

static int lock(const struct access *a)
{
	const struct timespec step = { .tv_nsec = LOCK_STEP };
	uint32_t pid = (uint32_t)getpid();
	int i, err = 0, saved = errno;

	for (i = 0; a->lock >= 0 && i < LOCK_STEPS; i++) {
		err = bpf_update(a->lock, &a->key, &pid, BPF_NOEXIST);
		if (err != -EEXIST)
			break;
		if (!delete_abandoned(a))
			nanosleep(&step, NULL);
	}
	errno = saved;
	if (err == -EEXIST)
		return rt_fail(-EBUSY, "%s of %s: lock %u was held for %d ms", a->var->name, a->var->place,
			    a->key, LOCK_STEP / 1000 * LOCK_STEPS / 1000);
	return err ? rt_fail(err, "%s of %s: lock: %s", a->var->name, a->var->place, strerror(-err)) : 0;
}

static void unlock(const struct access *a)
{
	if (a->lock >= 0)
		bpf_delete(a->lock, &a->key);
}

/* ---- devices of a variable ---- */

static int open_map(const struct state *s, const char *name)
{
	unsigned int id = state_map(s, name);
	int fd = id ? bpf_map_fd(id) : -ENOENT;

	if (fd == -ENOENT)
		return rt_fail(-ENODEV, "%s of %s: map %s (id %u) is gone: `ncl show`, or deploy again",
			    s->program, s->place, name, id);
	return fd < 0 ? rt_fail(fd, "%s of %s: map %s (id %u): %s", s->program, s->place, name, id,
			     strerror(-fd)) : fd;
}

static int open_lock(struct access *a, const struct state *s, bool write)
{
	char *end;

	a->lock = -1;
	if (!a->var->locked)
		return 0;
	a->key = (uint32_t)strtoul(a->var->lock, &end, 0);
	if (*end && !write)
		return 0;
	if (*end)
		return rt_fail(-EOPNOTSUPP, "%s of %s: its lock depends on the window (%s), so no host can take it",
			    a->var->name, a->var->place, a->var->lock);
	a->lock = open_map(s, NCL_MAP_LOCK);
	return a->lock < 0 ? a->lock : 0;
}

/* ---- arrays ---- */

/* Elements that share an element of the BPF map are read or written together. */
static int do_element(const struct access *a, const struct var_op *op, size_t *done)
{
	const uint8_t *from = op->from;
	uint8_t val[ELEMENT_MAX], *to = op->to;
	uint32_t key, next;
	size_t i = *done;
	unsigned int here;
	int err;

	desc_var_at(a->var, op->index + i, &key, &here);
	err = bpf_lookup(a->fd, &key, val);
	for (next = key; !err && next == key; ) {
		if (op->what == VAR_RD)
			memcpy(to + i * op->size, val + here, op->size);
		else
			memcpy(val + here, from + i * op->size, op->size);
		if (++i == op->count)
			break;
		desc_var_at(a->var, op->index + i, &next, &here);
	}
	if (!err && op->what == VAR_WR)
		err = bpf_update(a->fd, &key, val, BPF_ANY);
	if (err)
		return rt_fail(err, "%s of %s: element %zu: %s", a->var->name, a->var->place,
			       op->index + *done, strerror(-err));
	*done = i;
	return 0;
}

static int do_span(const struct access *a, const struct var_op *op)
{
	size_t done = 0;
	int err = 0;

	while (!err && done < op->count)
		err = do_element(a, op, &done);
	return err;
}

/* ---- maps ---- */

static int do_entry(const struct access *a, const struct var_op *op)
{
	static const char * const names[] = { [MAP_PUT] = "put", [MAP_GET] = "get", [MAP_DEL] = "delete" };
	int err;

	if (op->what == MAP_PUT)
		err = bpf_update(a->fd, op->key, op->from, BPF_ANY);
	else
		err = op->what == MAP_GET ? bpf_lookup(a->fd, op->key, op->to) : bpf_delete(a->fd, op->key);
	if (err == -ENOENT)
		return rt_fail(-ESRCH, "%s of %s: the key is not there", a->var->name, a->var->place);
	if (err == -E2BIG)
		return rt_fail(err, "%s of %s is full: it has room for %llu keys", a->var->name,
			    a->var->place, (unsigned long long)desc_var_count(a->var));
	return err ? rt_fail(err, "%s of %s: %s: %s", a->var->name, a->var->place, names[op->what],
			  strerror(-err)) : 0;
}

/* ---- an operation ---- */

static int check_span(const struct desc_var *v, const struct var_op *op)
{
	uint64_t all = desc_var_count(v);

	if (v->layout == DESC_HASH)
		return rt_fail(-EINVAL, "%s is a map: it has keys, see ncrt_map_put()", v->name);
	if (op->size != desc_type_size(v->type))
		return rt_fail(-EINVAL, "%s: elements of %zu bytes, it has %s", v->name, op->size, v->type);
	if (op->index > all || op->count > all - op->index)
		return rt_fail(-EINVAL, "%s: elements %zu to %zu, it has %llu", v->name, op->index,
			    op->index + op->count - 1, (unsigned long long)all);
	if (v->size > ELEMENT_MAX)
		return rt_fail(-EINVAL, "%s: map elements of %u bytes, %u at most", v->name, v->size,
			    ELEMENT_MAX);
	return 0;
}

int var_check(const struct desc_var *v, const struct var_op *op)
{
	if (op->what == VAR_RD || op->what == VAR_WR)
		return check_span(v, op);
	return v->layout == DESC_HASH ? 0 :
	       rt_fail(-EINVAL, "%s is no map: it has an index, see ncrt_ctrl_wr()", v->name);
}

/*
 * A signal would interrupt the driver while it waits for the card. Then it is unknown whether the
 * lock is taken or the value written. So block all signals until the operation has ended.
 */
static int locked(const struct access *a, const struct var_op *op)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	err = lock(a);
	if (!err) {
		err = a->var->layout == DESC_HASH ? do_entry(a, op) : do_span(a, op);
		unlock(a);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

int var_local(const struct desc *d, const struct desc_var *v, const struct var_op *op)
{
	struct access a = { .program = d->name, .var = v, .lock = -1 };
	char text[200];
	struct state s;
	int err;

	err = state_read(d->name, v->place, &s, text, sizeof(text));
	if (err == -ENOENT)
		return 0;
	if (err)
		return rt_fail(err, "%s", text);
	if (s.hash != d->hash)
		return rt_fail(-ENODEV, "%s of %s: program %04x is deployed, this is %04x: deploy again",
			    s.program, s.place, s.hash, d->hash);
	err = var_check(v, op);
	if (err)
		return err;
	a.fd = open_map(&s, v->map);
	if (a.fd < 0)
		return a.fd;
	err = open_lock(&a, &s, var_writes(op));
	if (!err)
		err = locked(&a, op);
	if (a.lock >= 0)
		close(a.lock);
	close(a.fd);
	return err ? err : 1;
}
