// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include "memcached.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int memcached_open(struct memcached *m, uint16_t port)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1, err;

	if (fd < 0)
		return -errno;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(fd, (struct sockaddr *)&to, sizeof(to))) {
		err = -errno;
		close(fd);
		return err;
	}
	m->in = fdopen(fd, "r");
	m->out = fdopen(dup(fd), "w");
	return m->in && m->out ? 0 : -ENOMEM;
}

static int answer_line(struct memcached *m, char *line, size_t size)
{
	if (fflush(m->out) || !fgets(line, (int)size, m->in))
		return -EIO;
	line[strcspn(line, "\r\n")] = 0;
	return 0;
}

int memcached_get(struct memcached *m, uint64_t key, char *val, size_t room)
{
	char line[128], rest[8];
	size_t len;

	if (fprintf(m->out, "get %016" PRIx64 "\r\n", key) < 0 ||
	    answer_line(m, line, sizeof(line)))
		return -EIO;
	if (!strcmp(line, "END"))
		return -ENOENT;
	if (sscanf(line, "VALUE %*s %*u %zu", &len) != 1)
		return -EPROTO;
	if (len > room)
		return -E2BIG;
	if (fread(val, 1, len, m->in) != len || !fgets(rest, sizeof(rest), m->in) ||
	    answer_line(m, line, sizeof(line)))
		return -EIO;
	return strcmp(line, "END") ? -EPROTO : (int)len;
}

int memcached_set(struct memcached *m, uint64_t key, const char *val, size_t len)
{
	char line[128];

	if (fprintf(m->out, "set %016" PRIx64 " 0 0 %zu\r\n", key, len) < 0 ||
	    fwrite(val, 1, len, m->out) != len || fputs("\r\n", m->out) < 0 ||
	    answer_line(m, line, sizeof(line)))
		return -EIO;
	return strcmp(line, "STORED") ? -EPROTO : 0;
}
