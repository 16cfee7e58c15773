// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_replace.c - two offloaded programs replace each other while frames flow.
 *
 * usage: xdp_replace DEV PEER ROUNDS
 *
 * PEER sends into DEV, some frames at a time. mark_tx.o sends each back to PEER,
 * mark_pass.o passes it to the host, and each writes its mark into the frame. The results of
 * all frames are printed as JSON: each frame must have arrived once, at the place that its
 * mark names.
 */
#include <pthread.h>

#include "xdp_run.h"

#define TYPE		0x88b5
#define LEN		64
#define MARK_OFF	14
#define NR_OFF		16
#define WINDOW		64		/* frames on their way */
#define EACH		48		/* frames through each program, at least */
#define FRAMES_MAX	(1u << 20)

enum { TX, PASS };

static struct bpf_object *obj[2];
static uint8_t seen[FRAMES_MAX];
static unsigned int sent, back[2], wrong, twice;
static int expected_errno;

/* Shared by the two threads */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static unsigned int done, replaced;
static bool ended, stopped;

/* ---- the thread that replaces ---- */

/* Replace @old by @new; fail if @old is not attached. Return 0 or the errno. */
static int replace(int dev, int old, int new)
{
	LIBBPF_OPTS(bpf_xdp_attach_opts, o, .old_prog_fd = old);

	return -bpf_xdp_attach(dev, new, XDP_FLAGS_HW_MODE | XDP_FLAGS_REPLACE, &o);
}

struct replacer {
	int dev;
	unsigned int rounds;
};

static void *replacer(void *arg)
{
	const struct replacer *r = arg;
	unsigned int i, from = 0;
	bool go = true;

	for (i = 0; go && i < r->rounds; i++) {
		pthread_mutex_lock(&lock);
		while (done - from < EACH && !stopped)
			pthread_cond_wait(&moved, &lock);
		from = done;
		go = !stopped;
		pthread_mutex_unlock(&lock);
		if (!go)
			break;
		errno = replace(r->dev, xdp_fd(obj[i % 2]), xdp_fd(obj[!(i % 2)]));
		if (errno)
			die("replace");
		replaced++;
	}
	pthread_mutex_lock(&lock);
	ended = true;
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* ---- frames ---- */

static bool send_one(int fd)
{
	uint8_t f[LEN] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, TYPE >> 8, TYPE & 0xff };

	if (sent == FRAMES_MAX)
		return false;
	memcpy(f + NR_OFF, &sent, sizeof(sent));
	if (send(fd, f, sizeof(f), 0) != sizeof(f))
		return false;
	sent++;
	return true;
}

/* Receive all frames that have arrived at a socket. Return their number. */
static unsigned int take_all(int fd, unsigned int way)
{
	static const uint8_t mark[] = { [TX] = 't', [PASS] = 'p' };
	static struct frames l;
	unsigned int n = 0;
	uint32_t nr;

	for (; take(fd, &l); l.n = 0) {
		const uint8_t *f = l.f[0].data;

		if (f[12] != TYPE >> 8 || f[13] != (TYPE & 0xff))
			continue;
		n++;
		memcpy(&nr, f + NR_OFF, sizeof(nr));
		if (l.f[0].len != LEN || f[MARK_OFF] != mark[way] || nr >= sent)
			wrong++;
		else if (seen[nr]++)
			twice++;
		else
			back[way]++;
	}
	return n;
}

static void traffic(int dev_fd, int peer_fd)
{
	struct pollfd fds[] = {
		{ .fd = dev_fd, .events = POLLIN }, { .fd = peer_fd, .events = POLLIN },
	};
	uint64_t end = now_ms() + WAIT_MS;
	unsigned int n, all = 0;
	bool more = true;

	while ((more || all < sent) && now_ms() < end) {
		while (more && sent - all < WINDOW && send_one(peer_fd))
			;
		poll(fds, 2, 50);
		n = take_all(dev_fd, PASS) + take_all(peer_fd, TX);
		if (!n)
			continue;
		all += n;
		end = now_ms() + WAIT_MS;
		pthread_mutex_lock(&lock);
		done = all;
		more = !ended;
		pthread_cond_signal(&moved);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	stopped = true;
	pthread_cond_signal(&moved);
	pthread_mutex_unlock(&lock);
}

static uint64_t counted(struct bpf_object *o)
{
	uint32_t zero = 0;
	uint64_t n;

	if (bpf_map_lookup_elem(bpf_object__find_map_fd_by_name(o, "marked"), &zero, &n))
		die("marked");
	return n;
}

int main(int argc, char **argv)
{
	struct replacer r;
	pthread_t thread;
	int peer;

	if (argc != 4) {
		fprintf(stderr, "usage: xdp_replace DEV PEER ROUNDS\n");
		return 2;
	}
	r.dev = if_nametoindex(argv[1]);
	r.rounds = atoi(argv[3]);
	peer = if_nametoindex(argv[2]);
	obj[TX] = xdp_load("build/guest/xdp/mark_tx.o", "xdp", r.dev);
	obj[PASS] = xdp_load("build/guest/xdp/mark_pass.o", "xdp", r.dev);
	if (!obj[TX] || !obj[PASS] ||
	    bpf_xdp_attach(r.dev, xdp_fd(obj[TX]), XDP_FLAGS_HW_MODE, NULL))
		die("attach");
	/* A program that is not attached cannot be replaced. */
	expected_errno = replace(r.dev, xdp_fd(obj[PASS]), xdp_fd(obj[PASS]));
	if (pthread_create(&thread, NULL, replacer, &r))
		die("thread");
	traffic(packet_socket(r.dev), packet_socket(peer));
	pthread_join(thread, NULL);
	printf("{\"replaced\": %u, \"unexpected\": %d, \"sent\": %u, \"back\": [%u, %u], \"wrong\": %u, \"twice\": %u, \"counted\": [%lu, %lu]}\n",
	       replaced, expected_errno, sent, back[TX], back[PASS], wrong, twice,
	       counted(obj[TX]), counted(obj[PASS]));
	return bpf_xdp_detach(r.dev, XDP_FLAGS_HW_MODE, NULL) ? 1 : 0;
}
