// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* serve.c - ncl serve: the command, its sockets, and its loop. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include "cmd.h"
#include "deploy.h"
#include "netns.h"
#include "serve.h"
#include "states.h"

#define TURNS	64	/* datagrams of a socket before the next socket's turn */

int serve_read(struct serve *s)
{
	char path[STATE_PATH], text[512];
	struct desc *desc;

	if (desc_read(state_desc_path(path, s->program), &desc, text, sizeof(text)))
		return tool_fail("%s", text);
	if (same_nodes(desc, path, s->net, s->and)) {
		desc_free(desc);
		return EXIT_FAILURE;
	}
	desc_free(s->desc);
	s->desc = desc;
	return 0;
}

/* ---- the loop ---- */

static void receive(struct serve *s, struct served *p)
{
	static struct frame f;
	struct sockaddr_in from;
	const struct frame *answer;
	unsigned int turn;
	socklen_t len;
	ssize_t n;

	for (turn = 0; turn < TURNS; turn++) {
		len = sizeof(from);
		n = recvfrom(p->sock, &f.hdr, FRAME_MAX, MSG_DONTWAIT, (struct sockaddr *)&from, &len);
		if (n < 0)
			return;
		answer = serve_answer(s, p, &f, (size_t)n, from.sin_addr.s_addr);
		counts_write(p);
		if (answer)
			sendto(p->sock, &answer->hdr, HDR + le16toh(answer->hdr.size), MSG_DONTWAIT,
			       (struct sockaddr *)&from, len);
	}
}

/* Serve until SIGINT or SIGTERM. */
static int loop(struct serve *s, int stop)
{
	struct pollfd fd[PLACES_MAX + 1] = { { .fd = stop, .events = POLLIN } };
	unsigned int i;

	for (i = 0; i < s->places; i++)
		fd[i + 1] = (struct pollfd){ .fd = s->place[i].sock, .events = POLLIN };
	while (!fd[0].revents) {
		if (poll(fd, s->places + 1, -1) < 0 && errno != EINTR)
			return tool_fail("poll: %s", strerror(errno));
		for (i = 0; i < s->places; i++)
			if (fd[i + 1].revents)
				receive(s, &s->place[i]);
	}
	return 0;
}

/* ---- start ---- */

static int open_place(struct serve *s, struct served *p, const struct state *st)
{
	struct sockaddr_in own = { .sin_family = AF_INET, .sin_port = htons(NCP_CTRL_PORT) };
	char ip[INET_ADDRSTRLEN];
	int err;

	p->file = -1;
	p->sock = -1;
	p->node = and_find(s->net, st->place);
	if (!p->node)
		return tool_fail("%s is deployed at %s, which is not in %s", s->program, st->place, s->and);
	own.sin_addr.s_addr = p->node->ip;
	inet_ntop(AF_INET, &p->node->ip, ip, sizeof(ip));
	err = netns_enter_inode(st->netns);
	if (err)
		return tool_fail("%s: network namespace (inode %llu): %s", st->place,
				 (unsigned long long)st->netns, strerror(-err));
	p->sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (p->sock < 0 || bind(p->sock, (struct sockaddr *)&own, sizeof(own)))
		return tool_fail("%s: %s:%u: %s", st->place, ip, NCP_CTRL_PORT, strerror(errno));
	p->file = counts_open(s->program, st->place);
	if (p->file < 0)
		return EXIT_FAILURE;
	counts_write(p);
	return 0;
}

static void report(const struct serve *s)
{
	char ip[INET_ADDRSTRLEN];
	unsigned int i, id;

	for (i = 0; i < s->places; i++) {
		inet_ntop(AF_INET, &s->place[i].node->ip, ip, sizeof(ip));
		printf("%s: %s:%u, for", s->place[i].node->label, ip, NCP_CTRL_PORT);
		for (id = 1; id <= s->net->nr; id++)
			if (s->allowed[id])
				printf(" %s", and_node(s->net, id)->label);
		putchar('\n');
	}
}

static int open_places(struct serve *s)
{
	struct states all;
	unsigned int i;
	int ret = states_read(&all, s->program);

	if (ret)
		return ret;
	if (!all.n)
		ret = tool_fail("%s is not deployed on this machine: no file " STATE_DIR "/%s.*", s->program,
				s->program);
	s->place = calloc(all.n + 1, sizeof(*s->place));
	if (!s->place)
		abort();
	for (i = 0; i < all.n && i < PLACES_MAX && !ret; i++)
		ret = open_place(s, &s->place[s->places++], &all.state[i]);
	states_free(&all);
	return ret;
}

static int serve(struct serve *s)
{
	sigset_t set;
	int ret, stop;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	stop = signalfd(-1, &set, SFD_CLOEXEC);
	if (stop < 0)
		return tool_fail("signalfd: %s", strerror(errno));
	ret = open_places(s);
	if (!ret)
		ret = serve_read(s);
	if (!ret) {
		report(s);
		ret = tool_flush();
	}
	if (!ret)
		ret = loop(s, stop);
	return ret;
}

static void serve_close(struct serve *s)
{
	unsigned int i, id;

	for (i = 0; i < s->places; i++) {
		for (id = 0; id <= AND_NODES; id++)
			free(s->place[i].client[id]);
		counts_close(s->program, &s->place[i]);
		if (s->place[i].sock >= 0)
			close(s->place[i].sock);
	}
	free(s->place);
	desc_free(s->desc);
	and_free(s->net);
}

/* ---- the command ---- */

static int allow(struct serve *s, const struct tool_texts *labels)
{
	const struct and_node *node;
	unsigned int i, id;

	for (i = 0; i < labels->count; i++) {
		node = and_find(s->net, labels->text[i]);
		if (!node || node->device) {
			tool_fail("--allow %s: %s in %s", labels->text[i], node ? "that is a device" :
				  "no such node", s->and);
			return EXIT_USAGE;
		}
		s->allowed[node->id] = true;
	}
	for (id = 1; id <= s->net->nr && !labels->count; id++)
		s->allowed[id] = !and_node(s->net, id)->device;
	return 0;
}

int cmd_serve(const struct command *cmd, int argc, char **argv)
{
	struct tool_texts labels = { .text = calloc((size_t)argc, sizeof(char *)) };
	const struct tool_opt opts[] = { { "allow", 'a', .texts = &labels }, { .name = NULL } };
	struct serve s = { .program = NULL };
	char text[512];
	int ret;

	if (!labels.text)
		abort();
	ret = tool_options(cmd, argc, argv, opts, "a program", 2);
	if (ret < 0 && argc - optind < 2)
		ret = tool_usage(cmd, "the program's AND file is missing");
	if (ret < 0) {
		s.program = argv[optind];
		s.and = argv[optind + 1];
		ret = and_read(s.and, &s.net, text, sizeof(text)) ? tool_fail("%s", text) :
		      allow(&s, &labels);
		if (!ret)
			ret = serve(&s);
		serve_close(&s);
	}
	free(labels.text);
	return ret;
}
