// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* devlink.c - ask devlink for a version of a PCI device, by generic netlink. */
#include <errno.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "firmware.h"

#define ROOM	16384

/* A request or an answer. The header of generic netlink follows that of netlink. */
struct msg {
	_Alignas(NLMSG_ALIGNTO) char buf[ROOM];
};

static struct nlmsghdr *head(struct msg *m)
{
	return (struct nlmsghdr *)m->buf;
}

static void begin(struct msg *m, uint16_t type, uint8_t cmd, uint8_t version)
{
	struct genlmsghdr *g = NLMSG_DATA(head(m));

	memset(m, 0, sizeof(*m));
	*head(m) = (struct nlmsghdr){
		.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN), .nlmsg_type = type,
		.nlmsg_flags = NLM_F_REQUEST, .nlmsg_seq = 1,
	};
	g->cmd = cmd;
	g->version = version;
}

static void put(struct msg *m, uint16_t type, const char *text)
{
	struct nlmsghdr *h = head(m);
	struct nlattr *a = (struct nlattr *)(m->buf + NLMSG_ALIGN(h->nlmsg_len));
	size_t len = strlen(text) + 1;

	a->nla_type = type;
	a->nla_len = (uint16_t)(NLA_HDRLEN + len);
	memcpy((char *)a + NLA_HDRLEN, text, len);
	h->nlmsg_len = NLMSG_ALIGN(h->nlmsg_len) + NLA_ALIGN(a->nla_len);
}

/* Send a request, and replace it by the answer. */
static int ask(int fd, struct msg *m)
{
	struct nlmsghdr *h = head(m);
	const struct nlmsgerr *e;
	ssize_t n;

	if (send(fd, m->buf, h->nlmsg_len, 0) < 0)
		return -errno;
	n = recv(fd, m->buf, sizeof(m->buf), 0);
	if (n < 0)
		return -errno;
	if (!NLMSG_OK(h, (size_t)n))
		return -EPROTO;
	e = NLMSG_DATA(h);
	if (h->nlmsg_type == NLMSG_ERROR)
		return e->error ? e->error : -EPROTO;
	return h->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN) ? -EPROTO : 0;
}

/* Get the next attribute of the *@len bytes at *@at, and move behind it. NULL: there is none. */
static const struct nlattr *next(const char **at, size_t *len)
{
	const struct nlattr *a = (const struct nlattr *)*at;
	size_t n;

	if (*len < sizeof(*a) || a->nla_len < sizeof(*a) || a->nla_len > *len)
		return NULL;
	n = NLA_ALIGN(a->nla_len);
	n = n < *len ? n : *len;
	*at += n;
	*len -= n;
	return a;
}

static uint16_t type_of(const struct nlattr *a)
{
	return a->nla_type & NLA_TYPE_MASK;
}

/* Return the text of an attribute, "" if it is not of this type, or no text. */
static const char *text_of(const struct nlattr *a, uint16_t type)
{
	const char *s = (const char *)a + NLA_HDRLEN;
	size_t len = a->nla_len - NLA_HDRLEN;

	return type_of(a) == type && memchr(s, 0, len) ? s : "";
}

static void attrs(struct msg *m, const char **at, size_t *len)
{
	*at = m->buf + NLMSG_LENGTH(GENL_HDRLEN);
	*len = head(m)->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN);
}

static int family(int fd, struct msg *m)
{
	const struct nlattr *a;
	const char *at;
	uint16_t id;
	size_t len;
	int ret;

	begin(m, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1);
	put(m, CTRL_ATTR_FAMILY_NAME, DEVLINK_GENL_NAME);
	ret = ask(fd, m);
	if (ret)
		return ret;
	attrs(m, &at, &len);
	while ((a = next(&at, &len))) {
		if (type_of(a) != CTRL_ATTR_FAMILY_ID || a->nla_len < NLA_HDRLEN + sizeof(id))
			continue;
		memcpy(&id, (const char *)a + NLA_HDRLEN, sizeof(id));
		return id;
	}
	return -EPROTO;
}

/* Copy the value of a version, if it is the one of this name. */
static bool version_is(const struct nlattr *nest, const char *name, char *value, size_t room)
{
	const char *at = (const char *)nest + NLA_HDRLEN, *n = "", *v = "", *s;
	size_t len = nest->nla_len - NLA_HDRLEN;
	const struct nlattr *a;

	while ((a = next(&at, &len))) {
		s = text_of(a, DEVLINK_ATTR_INFO_VERSION_NAME);
		n = *s ? s : n;
		s = text_of(a, DEVLINK_ATTR_INFO_VERSION_VALUE);
		v = *s ? s : v;
	}
	if (strcmp(n, name) || !*v)
		return false;
	snprintf(value, room, "%s", v);
	return true;
}

static int info(int fd, struct msg *m, const char *pci, const char *name, char *value, size_t room)
{
	const struct nlattr *a;
	const char *at;
	size_t len;
	int ret = family(fd, m);

	if (ret < 0)
		return ret;
	begin(m, (uint16_t)ret, DEVLINK_CMD_INFO_GET, DEVLINK_GENL_VERSION);
	put(m, DEVLINK_ATTR_BUS_NAME, "pci");
	put(m, DEVLINK_ATTR_DEV_NAME, pci);
	ret = ask(fd, m);
	if (ret)
		return ret;
	attrs(m, &at, &len);
	while ((a = next(&at, &len)))
		if (type_of(a) == DEVLINK_ATTR_INFO_VERSION_FIXED &&
		    version_is(a, name, value, room))
			return 0;
	return -ENODATA;
}

int devlink_fixed(const char *pci, const char *name, char *value, size_t len)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC), ret;
	struct msg m;

	if (fd < 0)
		return -errno;
	ret = info(fd, &m, pci, name, value, len);
	close(fd);
	return ret;
}
