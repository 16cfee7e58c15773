// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* serve.c - the process that holds a policy graph, and its clients. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "loaded.h"
#include "tool.h"

#define REQUEST_MAX	16
#define CLIENT_S	5	/* seconds after which a silent client is dropped */

int loaded_name(const char *file, char *name, size_t size)
{
	const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	size_t len = strlen(base), tail = strlen(LOADED_SUFFIX);

	if (len > tail && !strcmp(base + len - tail, LOADED_SUFFIX))
		len -= tail;
	if (!len || len >= size || *base == '.') {
		tool_fail("%s: the name of a graph has 1 to %zu characters and does not begin with a dot",
			  file, size - 1);
		return -1;
	}
	memcpy(name, base, len);
	name[len] = '\0';
	return 0;
}

static struct sockaddr_un address(const char *name)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), LOADED_RUN "/%s" LOADED_SUFFIX, name);
	return a;
}

static int client(const char *name)
{
	struct sockaddr_un a = address(name);
	struct timeval tv = { .tv_sec = CLIENT_S };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	if (!connect(fd, (struct sockaddr *)&a, sizeof(a)))
		return fd;
	close(fd);
	return -1;
}

int loaded_listen(const char *name)
{
	struct sockaddr_un a = address(name);
	int fd = client(name);

	if (fd >= 0) {
		close(fd);
		tool_fail("a graph '%s' is loaded: nfpchan graph unload %s", name, name);
		return -1;
	}
	unlink(a.sun_path);	/* left by a process that was killed */
	if (mkdir(LOADED_RUN, 0755) && errno != EEXIST) {
		tool_fail(LOADED_RUN ": %s", strerror(errno));
		return -1;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&a, sizeof(a)) && !listen(fd, 8))
		return fd;
	tool_fail("%s: %s", a.sun_path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

void loaded_unlisten(const char *name)
{
	struct sockaddr_un a = address(name);

	unlink(a.sun_path);
}

/* ---- the process ---- */

static void say_stats(struct loaded *l, FILE *to)
{
	static const char *const states[] = { "down", "up", "ended" };
	static const char *const ways[] = { "card", "push", "staging" };

	for (unsigned int i = 0; i < l->g->edges; i++) {
		struct nfp_chan_link_stat s = loaded_stat(l, i);

		bool host = l->g->edge[i].to == GRAPH_HOST;

		fprintf(to, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s\n", (uint64_t)s.msgs,
			(uint64_t)s.bytes, (uint64_t)s.dropped, (uint64_t)s.stalled,
			host ? "host" : states[s.state], host ? "host" : ways[s.via]);
	}
}

static void say_jobs(const struct loaded *l, FILE *to)
{
	for (unsigned int i = 0; i < l->g->nodes; i++) {
		struct loaded_jobs j = loaded_jobs(l, i);

		if (l->g->device[l->g->node[i].device].kind != GRAPH_CARD)
			fprintf(to, "%u %u %u %u %u\n", j.good, j.failed, j.doorbells,
				j.notified, j.interrupts);
	}
}

/* Answer one request. Returns true after "unload". */
static bool answer(struct loaded *l, int fd, const char *text)
{
	struct timeval tv = { .tv_sec = CLIENT_S };
	char request[REQUEST_MAX] = "";
	bool unload = false;
	FILE *f;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv));
	f = fdopen(fd, "r+");
	if (!f) {
		close(fd);
		return false;
	}
	if (fgets(request, sizeof(request), f)) {
		if (!strcmp(request, "graph\n"))
			fputs(text, f);
		unload = !strcmp(request, "unload\n");
		if (unload)
			loaded_end(l);
		if (unload || !strcmp(request, "stats\n")) {
			say_stats(l, f);
			say_jobs(l, f);
		}
	}
	fclose(f);
	return unload;
}

int loaded_serve(struct loaded *l, int listener, const char *name, const char *text)
{
	struct pollfd p[2] = {
		{ .fd = listener, .events = POLLIN },
		{ .fd = tool_signals(), .events = POLLIN },
	};
	bool end = p[1].fd < 0;
	int fd;

	while (!end) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			break;
		if (p[1].revents)
			break;
		fd = p[0].revents ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;
		if (fd >= 0)
			end = answer(l, fd, text);
	}
	loaded_unlisten(name);
	return EXIT_SUCCESS;
}

/* ---- the clients ---- */

char *loaded_ask(const char *name, const char *request)
{
	int fd = client(name), n;
	char *all = NULL;
	size_t size = 0;
	FILE *f, *to;

	if (fd < 0) {
		tool_fail("no graph '%s' is loaded (" LOADED_RUN "/%s" LOADED_SUFFIX ": %s)", name, name,
			  strerror(errno));
		return NULL;
	}
	f = fdopen(fd, "r+");
	to = open_memstream(&all, &size);
	if (!f || !to) {
		tool_fail("%s", strerror(errno));
		exit(EXIT_FAILURE);
	}
	fprintf(f, "%s\n", request);
	fflush(f);
	while ((n = fgetc(f)) != EOF)
		fputc(n, to);
	n = ferror(f);
	fclose(f);
	fclose(to);
	if (!n && size)
		return all;
	tool_fail("graph '%s': no answer within %u s", name, CLIENT_S);
	free(all);
	return NULL;
}
