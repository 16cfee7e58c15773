// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_msg.c - nfpchan send and recv. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "now.h"
#include "tool.h"

#define TIMEOUT_MAX	86400000	/* ms, a day */

static int chan_fail(struct nfpchan *ch)
{
	char text[256];

	return tool_fail("%s", nfpchan_error(ch, text, sizeof(text)));
}

/* ---- send ---- */

/**
 * struct message - the message to send
 * @data: the message, malloc()ed. Of a stream that is read from a file: a buffer
 * @len: bytes of the message
 * @in: file that the message comes from. A stream is read and sent in parts
 * @room: bytes of @data
 */
struct message {
	unsigned char *data;
	size_t len;
	FILE *in;
	size_t room;
};

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool message_hex(struct message *m, const char *hex)
{
	size_t i, len = strlen(hex);

	if (len % 2) {
		tool_fail("hexadecimal of %zu digits: two make a byte", len);
		return false;
	}
	m->len = len / 2;
	m->data = malloc(m->len + 1);
	if (!m->data) {
		tool_fail("out of memory");
		return false;
	}
	for (i = 0; i < len; i++) {
		int d = hex_digit(hex[i]);

		if (d < 0) {
			tool_fail("hexadecimal: character %zu is '%c'", i + 1, hex[i]);
			return false;
		}
		m->data[i / 2] = i % 2 ? m->data[i / 2] | d : d << 4;
	}
	return true;
}

#define STREAM_PART	65536		/* bytes of a stream that are moved at a time */
#define BURST		65536	/* bytes between two looks at the signals */
#define MSG_WEIGHT	64	/* a message counts as so many bytes more, for printing it */
#define TOLD		1	/* a failure that was printed already */

static bool is_stream(const struct nfpchan *ch)
{
	return nfpchan_layout(ch)->kind == NFP_CHAN_STREAM;
}

/* Print that the message is too large. Of a regular file the size is known. */
static bool message_large(const struct message *m, const struct nfpchan *ch)
{
	const struct nfp_chan_layout *g = nfpchan_layout(ch);
	off_t at = ftello(m->in), more = -1;
	struct stat st;

	if (at >= 0 && !fstat(fileno(m->in), &st) && S_ISREG(st.st_mode))
		more = st.st_size - at;
	return !tool_fail("%s: message of %zu bytes%s, the channel takes %s %u", nfpchan_name(ch),
			  m->len + (more > 0 ? (size_t)more : 0), more < 0 ? " or more" : "",
			  g->elem_size ? "exactly" : "at most", g->max_size);
}

/*
 * Open a file. Message: read it, up to one byte more than the channel takes. Stream: read nothing
 * yet, because there is no limit to its length.
 */
static bool message_file(struct message *m, const char *path, const struct nfpchan *ch)
{
	const char *name = path ?: "standard input";
	size_t elem = nfpchan_layout(ch)->elem_size;

	m->in = path ? fopen(path, "rbe") : stdin;
	if (is_stream(ch))
		m->room = elem < STREAM_PART ? STREAM_PART - STREAM_PART % elem : elem;
	else
		m->room = nfpchan_layout(ch)->max_size + 1;
	m->data = m->in ? malloc(m->room) : NULL;
	if (!m->data)
		return !tool_fail("%s: %s", name, strerror(errno));
	if (is_stream(ch))
		return true;
	m->len = fread(m->data, 1, m->room, m->in);
	if (ferror(m->in))
		return !tool_fail("%s: %s", name, strerror(errno));
	return m->len < m->room || message_large(m, ch);
}

static bool message_text(struct message *m, const char *text)
{
	m->len = strlen(text);
	m->data = (unsigned char *)strdup(text);
	if (!m->data)
		tool_fail("out of memory");
	return m->data;
}

/**
 * struct send_opts - the options of nfpchan send
 * @file: --file
 * @hex: --hex
 * @count: --count
 * @timeout: --timeout in ns, or NFPCHAN_FOREVER
 */
struct send_opts {
	const char *file;
	const char *hex;
	uint64_t count;
	int64_t timeout;
};

static int send_options(const struct command *cmd, int argc, char **argv, struct send_opts *o)
{
	const struct tool_opt opts[] = {
		{ "file", 'f', .text = &o->file },
		{ "hex", 'x', .text = &o->hex },
		{ "count", 'n', .number = &o->count, .min = 1, .max = UINT64_MAX },
		{ "timeout", 't', .ns = &o->timeout, .max = TIMEOUT_MAX },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a channel", 2);
	int sources;

	if (ret >= 0)
		return ret;
	sources = (argc - optind == 2) + !!o->file + !!o->hex;
	if (sources != 1)
		return tool_usage(cmd, "%s: give one of DATA, -, --file and --hex",
				  sources ? "more than one message" : "no message");
	return -1;
}

static void send_json(const struct nfpchan *ch, uint64_t sent, const struct message *m)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_str(&j, "channel", nfpchan_name(ch));
	json_u64(&j, "sent", sent);
	json_u64(&j, "bytes", sent * m->len);
	json_close(&j);
	json_end(&j);
}

/* Send a part of a stream. After a short write, a second call returns the reason. */
static int send_part(struct nfpchan *ch, const unsigned char *data, size_t len, int64_t timeout)
{
	ssize_t n = nfpchan_write(ch, data, len, timeout);

	if (n < 0 || (size_t)n == len)
		return n < 0 ? (int)n : 0;
	n = nfpchan_write(ch, data + n, len - (size_t)n, NFPCHAN_NONBLOCK);
	return n < 0 ? (int)n : -ETIMEDOUT;
}

static int send_file(struct nfpchan *ch, struct message *m, int64_t timeout)
{
	size_t n, len = 0;
	int err;

	if (m->len && fseek(m->in, 0, SEEK_SET))
		return tool_fail("what is to be sent again: %s", strerror(errno)), TOLD;
	do {
		n = fread(m->data, 1, m->room, m->in);
		if (ferror(m->in))
			return tool_fail("what is to be sent: %s", strerror(errno)), TOLD;
		/* Send an empty file as well: the channel refuses it, like an empty message. */
		err = n || !len ? send_part(ch, m->data, n, timeout) : 0;
		len += n;
	} while (!err && n == m->room);
	if (!err)
		m->len = len;
	return err;
}

/* Send the message; of a stream, all of the file. */
static int send_once(struct nfpchan *ch, struct message *m, int64_t timeout)
{
	if (!is_stream(ch))
		return nfpchan_send(ch, m->data, m->len, timeout);
	if (m->in)
		return send_file(ch, m, timeout);
	return send_part(ch, m->data, m->len, timeout);
}

/*
 * Does a message need the sender after the send? Closing a pipe loses the messages in it. A map
 * (bpf:DEV) keeps them, but a program that takes messages more than once does not get to the next
 * one before the sender has seen that it took the last one.
 */
static bool must_drain(const struct nfpchan *ch)
{
	struct nfpchan_card *card;
	uint64_t count;
	bool drain = true;

	if (!tool_by_bpf())
		return true;
	card = tool_card();
	if (card)
		drain = nfpchan_repeats(card, nfpchan_name(ch), &count);
	nfpchan_card_close(card);
	return drain;
}

static int send_message(struct nfpchan *ch, struct message *m, const struct send_opts *o)
{
	int ret = EXIT_SUCCESS, err = 0;
	uint64_t sent;

	for (sent = 0; sent < o->count && !err; sent += !err)
		err = send_once(ch, m, o->timeout);
	if (!err && must_drain(ch))
		err = nfpchan_drain(ch, o->timeout);
	if (err == -EAGAIN || err == -ETIMEDOUT) {
		tool_fail("%s: %" PRIu64 " of %" PRIu64 " messages sent, the last one was not taken within %" PRId64 " ms",
			  nfpchan_name(ch), sent, o->count, o->timeout / NSEC_PER_MSEC);
		ret = EXIT_TIMEOUT;
	} else if (err) {
		ret = err == TOLD ? EXIT_FAILURE : chan_fail(ch);
	}
	if (tool.json)
		send_json(ch, sent, m);
	return ret;
}

static bool message_get(struct message *m, const struct send_opts *o, const char *data,
			const struct nfpchan *ch)
{
	if (o->hex)
		return true;
	if (o->file || !strcmp(data, "-"))
		return message_file(m, o->file, ch);
	return message_text(m, data);
}

int cmd_send(const struct command *cmd, int argc, char **argv)
{
	struct send_opts o = { .count = 1, .timeout = NFPCHAN_FOREVER };
	struct message m = { .data = NULL };
	int ret = send_options(cmd, argc, argv, &o);
	struct nfpchan *ch;

	if (ret >= 0)
		return ret;
	if (o.hex && !message_hex(&m, o.hex)) {
		free(m.data);
		return EXIT_USAGE;
	}
	ret = EXIT_FAILURE;
	ch = tool_open(argv[optind]);
	if (ch && message_get(&m, &o, argv[optind + 1], ch))
		ret = send_message(ch, &m, &o);
	nfpchan_close(ch);
	if (m.in && m.in != stdin)
		fclose(m.in);
	free(m.data);
	return ret;
}

/* ---- recv ---- */

/**
 * struct recv_opts - the options of nfpchan recv
 * @count: --count; 0: no limit
 * @timeout: --timeout in ns, or NFPCHAN_FOREVER
 * @hex: --hex
 * @raw: --raw
 */
struct recv_opts {
	uint64_t count;
	int64_t timeout;
	bool hex;
	bool raw;
};

static bool printable(const unsigned char *p, size_t len)
{
	while (len--)
		if (*p < 0x20 || *p++ > 0x7e)
			return false;
	return true;
}

static void message_plain(const struct recv_opts *o, const unsigned char *p, size_t len)
{
	if (o->raw) {
		fwrite(p, 1, len, stdout);
		return;
	}
	while (len--) {
		if (o->hex)
			printf("%02x", *p);
		else if (*p < 0x20 || *p > 0x7e || *p == '\\')
			printf("\\x%02x", *p);
		else
			putchar(*p);
		p++;
	}
	putchar('\n');
}

/* Print a message as JSON. @p has room for a NUL after the message. */
static void message_json(struct json *j, unsigned char *p, size_t len)
{
	json_object(j, NULL);
	json_u64(j, "len", len);
	json_hex(j, "hex", p, len);
	if (printable(p, len)) {
		p[len] = '\0';
		json_str(j, "text", (char *)p);
	}
	json_close(j);
	json_row_end(j);
}

/* Look at the signals: with a fast stream the command never sleeps in recv_sleep(). */
static bool interrupted(int sigs)
{
	struct pollfd pfd = { .fd = sigs, .events = POLLIN };

	return poll(&pfd, 1, 0) > 0;
}

/*
 * Sleep until a message or a signal comes. @since: when the last message came, or when the wait
 * for the first one began; 0: not set. Returns 0, EXIT_TIMEOUT, or -1 after a signal. After 0
 * there may be no message.
 */
static int recv_sleep(struct nfpchan *ch, int sigs, int64_t timeout, int64_t *since)
{
	struct pollfd pfd[2] = {
		{ .fd = nfpchan_fd(ch), .events = POLLIN },
		{ .fd = sigs, .events = POLLIN },
	};
	int64_t left = -1;
	int n;

	if (timeout >= 0) {
		*since = *since ?: (int64_t)now_ns();
		left = *since + timeout - (int64_t)now_ns();
		left = left < 0 ? 0 : left / NSEC_PER_MSEC;
	}
	n = poll(pfd, 2, (int)left);
	if (pfd[1].revents)
		return -1;
	return n ? 0 : EXIT_TIMEOUT;
}

static int recv_messages(struct nfpchan *ch, int sigs, const struct recv_opts *o)
{
	uint32_t max = is_stream(ch) ? STREAM_PART : nfpchan_layout(ch)->max_size;
	unsigned char *buf = malloc((size_t)max + 1);
	uint64_t done = 0;
	int64_t since = 0;
	size_t burst = 0;
	struct json j;
	ssize_t len;
	int ret = 0;

	if (!buf)
		return tool_fail("out of memory");
	tool_json_rows(&j);
	if (tool.json)
		json_rows(&j, NULL);
	while (!ret && (!o->count || done < o->count)) {
		len = is_stream(ch) ? nfpchan_read(ch, buf, max, NFPCHAN_NONBLOCK) :
				      nfpchan_recv(ch, buf, max, NFPCHAN_NONBLOCK);
		if (len == -EAGAIN) {
			ret = tool_flush() ?: recv_sleep(ch, sigs, o->timeout, &since);
		} else if (len < 0) {
			ret = chan_fail(ch);
		} else {
			if (tool.json)
				message_json(&j, buf, (size_t)len);
			else
				message_plain(o, buf, (size_t)len);
			done++;
			since = 0;
			burst += MSG_WEIGHT + (size_t)len;
			if (burst > BURST) {
				ret = interrupted(sigs) ? -1 : tool_flush();
				burst = 0;
			}
		}
	}
	if (tool.json) {
		json_rows_end(&j);
		json_end(&j);
	}
	if (ret == EXIT_TIMEOUT)
		tool_fail("%s: no message within %" PRId64 " ms, %" PRIu64 " came before",
			  nfpchan_name(ch), o->timeout / NSEC_PER_MSEC, done);
	free(buf);
	return ret < 0 ? EXIT_SUCCESS : ret;
}

static int recv_options(const struct command *cmd, int argc, char **argv, struct recv_opts *o)
{
	const struct tool_opt opts[] = {
		{ "count", 'n', .number = &o->count, .min = 1, .max = UINT64_MAX },
		{ "timeout", 't', .ns = &o->timeout, .max = TIMEOUT_MAX },
		{ "hex", 'x', .flag = &o->hex },
		{ "raw", 'r', .flag = &o->raw },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "a channel", 1);

	if (ret >= 0)
		return ret;
	if (o->hex && o->raw)
		return tool_usage(cmd, "give one of --hex and --raw");
	if (tool.json && (o->hex || o->raw))
		return tool_usage(cmd, "--json has the bytes in hexadecimal: no --hex, no --raw");
	return -1;
}

int cmd_recv(const struct command *cmd, int argc, char **argv)
{
	struct recv_opts o = { .timeout = NFPCHAN_FOREVER };
	int ret = recv_options(cmd, argc, argv, &o);
	struct nfpchan *ch;
	int sigs;

	if (ret >= 0)
		return ret;
	ret = EXIT_FAILURE;
	ch = tool_open(argv[optind]);
	sigs = ch ? tool_signals() : -1;
	if (sigs >= 0) {
		ret = recv_messages(ch, sigs, &o);
		close(sigs);
	}
	nfpchan_close(ch);
	return ret;
}
