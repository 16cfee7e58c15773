// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* traffic_kinds.c - functions of struct kind (traffic.h), for each kind of channel. */
#define _GNU_SOURCE
#include "stream.h"
#include "traffic.h"

const uint32_t load_count[LOAD_TARGETS] = {
	[LOAD_POUR] = 200, [LOAD_LOAD] = 100, [LOAD_RV] = 10,
};

/* ---- messages and elements ---- */

static int put(struct flow *f, const void *buf, size_t len, int64_t wait)
{
	ssize_t n;

	if (!f->kind->raw)
		return nfpchan_send(f->in, buf, len, wait);
	n = write(f->in_fd, buf, len);
	return n < 0 ? -errno : n == (ssize_t)len ? 0 : -EIO;
}

int msg_send(struct flow *f, uint32_t seq)
{
	int64_t wait = f->kind->hasty && flow_random(f, 2) ? 100000 : flow_patience();
	uint8_t buf[MSG_MAX];
	uint32_t len = flow_fill(f, buf, seq);

	/* The library cancels a send that times out, so count only a send that has succeeded. */
	return put(f, buf, len, wait) ? : flow_sent(f, seq, 1);
}

int many_send(struct flow *f, uint32_t seq)
{
	uint8_t buf[32 * 64];
	uint32_t n = 1 + flow_random(f, 32), i;
	ssize_t did;

	for (i = 0; i < n; i++)
		flow_fill(f, buf + (size_t)i * f->in_geom.elem_size, seq + i);
	did = nfpchan_send_many(f->in, buf, n, flow_patience());
	for (i = 0; did > 0 && i < did; i++)
		flow_sent(f, seq + i, 1);
	return did;
}

int msg_recv(struct flow *f, uint32_t seq)
{
	uint8_t buf[MSG_MAX];
	ssize_t n;

	do {
		if (!f->kind->raw)
			n = nfpchan_recv(f->out, buf, sizeof(buf), flow_patience());
		else if ((n = read(f->out_fd, buf, f->out_geom.elem_size ? : sizeof(buf))) < 0)
			n = -errno;
	} while (n >= 0 && !f->kind->got(f, buf, n, seq));
	return n < 0 ? n : 0;
}

int place_recv(struct flow *f, uint32_t seq)
{
	const void *data;
	bool all = false;
	ssize_t n;

	while (!all) {
		n = nfpchan_borrow(f->out, &data, flow_patience());
		if (n < 0)
			return n;
		all = f->kind->got(f, data, n, seq);
		nfpchan_release(f->out, 1);
	}
	return 0;
}

int poll_recv(struct flow *f, uint32_t seq)
{
	struct pollfd p = { .fd = f->out_fd, .events = POLLIN };
	struct timespec idle = { .tv_nsec = IDLE_NS };
	int n = ppoll(&p, 1, traffic->steady ? &idle : NULL, NULL);

	return n == 1 ? msg_recv(f, seq) : n ? -errno : -ETIMEDOUT;
}

bool stamp_got(struct flow *f, const void *buf, ssize_t len, uint32_t seq)
{
	if (!flow_ours(f, buf, len, seq))
		return false;
	atomic_fetch_add(&worker->received, 1);
	return true;
}

/* ---- bytes of a stream: each message follows its length; received in place ---- */

#define NONCE		16
#define BYTES_MAX	1500

/* Make the bytes that mark the beginning of a generation in the stream. */
static void nonce_make(struct flow *f, uint8_t *nonce)
{
	uint32_t i, x = mix(f->gen);

	for (i = 0; i < NONCE; i++, x = mix(x + i))
		nonce[i] = x;
}

static int bytes_write(struct flow *f, const void *buf, size_t len)
{
	ssize_t n;

	/* The card has gone if fewer bytes are sent. The next call then returns the error. */
	do {
		n = nfpchan_write(f->in, buf, len, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		atomic_fetch_add(&worker->sent, n);
		buf = (const uint8_t *)buf + n;
		len -= n;
	} while (len);
	return 0;
}

int bytes_begin(struct flow *f)
{
	uint8_t nonce[NONCE];

	nonce_make(f, nonce);
	return bytes_write(f, nonce, NONCE);
}

int bytes_send(struct flow *f, uint32_t seq)
{
	uint8_t buf[4 + BYTES_MAX];
	uint32_t len = sizeof(struct stamp) + flow_random(f, BYTES_MAX - sizeof(struct stamp));

	memcpy(buf, &len, 4);
	msg_fill(buf + 4, len, f->sender, seq);
	return bytes_write(f, buf, 4 + len) ? : flow_sent(f, seq, 0);
}

/* Read @len bytes. Wait up to @wait for the first byte, and without a limit for the rest. */
static int bytes_read(struct flow *f, uint8_t *buf, size_t len, int64_t wait)
{
	const void *data;
	ssize_t n;
	int err;

	while (len) {
		n = nfpchan_peek(f->out, &data, wait);
		if (n < 0)
			return n;
		n = n < (ssize_t)len ? n : (ssize_t)len;
		memcpy(buf, data, n);
		/*
		 * When the card goes, the ring has zeros. So test for the end before using the
		 * bytes.
		 */
		err = nfpchan_consume(f->out, n) ? : nfpchan_wait(f->out, 0);
		if (err && err != -EAGAIN)
			return err;
		atomic_fetch_add(&worker->received, n);
		wait = NFPCHAN_FOREVER;
		buf += n;
		len -= n;
	}
	return 0;
}

int bytes_start(struct flow *f)
{
	uint8_t nonce[NONCE], seen[NONCE];
	int err = bytes_read(f, seen, NONCE, NFPCHAN_FOREVER);

	nonce_make(f, nonce);
	while (!err && memcmp(seen, nonce, NONCE)) {
		memmove(seen, seen + 1, NONCE - 1);
		err = bytes_read(f, seen + NONCE - 1, 1, NFPCHAN_FOREVER);
	}
	return err;
}

int bytes_recv(struct flow *f, uint32_t seq)
{
	uint8_t buf[BYTES_MAX];
	uint32_t len;
	int err = bytes_read(f, (uint8_t *)&len, 4, flow_patience());

	if (err)
		return err;
	if (len > sizeof(buf))
		traffic_fault("length %u of message %u of bytes", len, seq);
	err = bytes_read(f, buf, len, NFPCHAN_FOREVER);
	if (!err && !flow_ours(f, buf, len, seq))
		traffic_fault("message %u of bytes is of another generation", seq);
	return err;
}

/* ---- load requests: the card sends the messages they ask for at full speed ---- */

#define ASKED	20	/* messages of a request, if the requesting worker receives them itself */

static uint32_t load_token(struct flow *f, uint32_t seq)
{
	return traffic->steady ? seq : f->gen << 16 ^ seq;
}

static uint32_t load_size(uint32_t token)
{
	return LOAD_SIZE_MIN + token * 61 % (LOAD_SIZE_MAX - LOAD_SIZE_MIN);
}

/* Send a load request. If other workers receive the messages, take the channels in turn. */
int load_send(struct flow *f, uint32_t seq)
{
	const uint32_t target = f->kind->recv ? LOAD_LOAD : seq % LOAD_TARGETS;
	const uint32_t token = load_token(f, seq);
	struct load_req r = {
		.count = htole32(f->kind->recv ? ASKED : load_count[target]),
		.size = htole32(load_size(token)), .target = htole32(target),
		.token = htole32(token),
	};

	return put(f, &r, sizeof(r), flow_patience()) ? : flow_sent(f, seq, 1);
}

/*
 * Check the order of requests, and the order of messages in a request. If no other worker
 * receives the messages, there must be no gap.
 */
bool load_got(struct flow *f, const void *buf, ssize_t len, uint32_t seq)
{
	static uint32_t last;		/* token of the last message's request */
	static uint64_t before;		/* number of the last message in it */
	uint32_t token, due = f->kind->send ? load_token(f, seq) : 0;
	struct load_msg m = { 0 };
	uint64_t nr;

	memcpy(&m, buf, len < (ssize_t)sizeof(m) ? len : (ssize_t)sizeof(m));
	token = le32toh(m.token);
	/* The first messages may be from a request of an earlier generation: skip them. */
	if (f->kind->send && seq == 1 && last != due && token != due)
		return false;
	nr = load_seq(buf, len, load_size(token), token);
	if (token != last && (due || token > last))
		before = 0;
	if (due ? token != due || nr != before + 1 : token < last || nr <= before)
		traffic_fault("%zd bytes: message %llu of request %x comes after message %llu of %x",
			      len, (unsigned long long)nr, token, (unsigned long long)before, last);
	last = token;
	before = nr;
	atomic_fetch_add(&worker->received, 1);
	return !due || nr == ASKED;
}

/* ---- signals to an exclusive channel's process ---- */

int signal_round(struct flow *f, uint32_t seq)
{
	struct echo_count count = { 0 };
	struct nfpchan *other;
	static uint64_t before;
	ssize_t n;
	int err;

	if (traffic->steady && !flow_random(f, 64) &&
	    nfpchan_open(&other, f->on, f->kind->out, NULL) != -EBUSY)
		traffic_fault("an exclusive channel was opened twice");
	/* Use the ioctl and the doorbell in turn */
	if (seq % 2)
		err = ioctl(f->out_fd, NFP_CHAN_IOC_SIGNAL, ARG(signal)) ? -errno : 0;
	else
		err = nfpchan_raise(f->out);
	if (err)
		return err;
	atomic_fetch_add(&worker->asked, 1);
	n = nfpchan_recv(f->out, &count, sizeof(count), NFPCHAN_FOREVER);
	if (n < 0)
		return n;
	if (n != sizeof(count) || (seq > 1 && le64toh(count.count) != before + 1))
		traffic_fault("count %llu comes after %llu",
			      (unsigned long long)le64toh(count.count), (unsigned long long)before);
	before = le64toh(count.count);
	atomic_fetch_add(&worker->received, 1);
	return 0;
}

/* ---- two channels in one ring: elements of the source are returned to the sink ---- */

#define PAIR_ELEM	64
#define PAIR_WORDS	(PAIR_ELEM / 4)
#define PAIR_MOST	256		/* largest number of elements of a request */
#define PAIR_MARKS	512		/* the first request has PAIR_MOST + 1 to + 512 elements */
#define PAIR_CHECK	8		/* check the card's count once in so many requests */

static struct pair_ends {
	uint64_t counted;		/* elements that the card had counted at the open */
	uint64_t returned;		/* elements that this worker has returned */
	uint32_t seq;
} pair_ends;

static int pair_counted(struct flow *f, uint64_t *elements)
{
	struct nfp_chan_query q;
	int err = nfpchan_query(f->on, f->kind->back, &q);

	*elements = q.msgs;
	return err;
}

int pair_open(struct flow *f)
{
	memset(&pair_ends, 0, sizeof(pair_ends));
	return pair_counted(f, &pair_ends.counted);
}

static int pair_request(struct flow *f, uint32_t elements)
{
	struct source_req req = {
		.bytes = htole64((uint64_t)elements * PAIR_ELEM), .chunk = htole32(4096),
		.target = htole32(SOURCE_64),
	};
	int err = nfpchan_send(f->in, &req, sizeof(req), NFPCHAN_FOREVER);

	if (err)
		return err;
	atomic_fetch_add(&worker->asked, elements);
	return 1;
}

static uint32_t pair_mark(const struct flow *f)
{
	return PAIR_MOST + 1 + f->gen % PAIR_MARKS;
}

static uint32_t pair_elements(const struct flow *f, uint32_t seq)
{
	return 1 + mix(f->gen << 16 ^ seq) % PAIR_MOST;
}

/*
 * An element has its number in the request, but no number of the request. So the first request of
 * a generation is recognised by its length.
 */
int pair_begin(struct flow *f)
{
	return pair_request(f, pair_mark(f));
}

int pair_send(struct flow *f, uint32_t seq)
{
	return pair_request(f, pair_elements(f, seq));
}

/* Return the element's number in its request, or -1 if the element is not whole. */
static int pair_number(const void *elem)
{
	uint32_t word[PAIR_WORDS], i;

	memcpy(word, elem, sizeof(word));
	for (i = 1; i < PAIR_WORDS; i++)
		if (le32toh(word[i]) != le32toh(word[0]) + i)
			return -1;
	return le32toh(word[0]) % PAIR_WORDS ? -1 : (int)(le32toh(word[0]) / PAIR_WORDS);
}

/* Overwrite @n elements with contents that the sink can check, and return them to the card. */
static int pair_return(struct flow *f, void *data, uint32_t n)
{
	size_t len = (size_t)n * PAIR_ELEM, at;
	ssize_t did;

	for (at = 0; at < len; at += PAIR_ELEM)
		compared_fill((uint8_t *)data + at, PAIR_ELEM, f->sender, ++pair_ends.seq);
	/*
	 * The card has gone if fewer elements are returned. The next call then returns the error.
	 */
	while (len) {
		did = nfpchan_return(f->back, len, NFPCHAN_FOREVER);
		if (did < 0)
			return did;
		pair_ends.returned += did / PAIR_ELEM;
		atomic_fetch_add(&worker->received, did / PAIR_ELEM);
		atomic_fetch_add(&worker->sent, did / PAIR_ELEM);
		len -= did;
	}
	return 0;
}

/*
 * Count the elements up to the end of the first request of this generation. Check that each
 * element has the number after its predecessor's, or begins a request. @behind: number that comes
 * next.
 */
static int pair_skip(struct flow *f, const void *data, uint32_t there, uint32_t *behind,
		     uint32_t *skip)
{
	uint32_t i;
	int nr;

	for (i = 0; i < there; i++) {
		nr = pair_number((const char *)data + (size_t)i * PAIR_ELEM);
		if (nr < 0 || (nr && *behind && (uint32_t)nr != *behind))
			return FLOW_GONE(f->back, "element %d comes after %u others", nr, *behind);
		if (!nr && *behind == pair_mark(f))
			break;
		*behind = nr + 1;
	}
	*skip = i;
	return 0;
}

/* Skip all elements up to the end of the first request of this generation. */
int pair_start(struct flow *f)
{
	uint32_t behind = 0, there, skip;
	ssize_t n;
	void *data;
	int err;

	do {
		n = nfpchan_returnable(f->back, &data, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		there = n / PAIR_ELEM;
		err = pair_skip(f, data, there, &behind, &skip);
		if (!err && skip)
			err = pair_return(f, data, skip);
	} while (!err && skip == there);
	return err;
}

/* Check that the card has counted all elements that were returned to the sink. */
static int pair_taken(struct flow *f)
{
	uint64_t counted, want = pair_ends.counted + pair_ends.returned;
	int err = nfpchan_drain(f->back, NFPCHAN_FOREVER) ? : pair_counted(f, &counted);

	if (!err && counted != want)
		err = FLOW_GONE(f->back, "the sink has taken %llu elements, not %llu",
				(unsigned long long)counted, (unsigned long long)want);
	return err;
}

int pair_recv(struct flow *f, uint32_t seq)
{
	uint32_t due = 0, want = pair_elements(f, seq), i, there;
	ssize_t n;
	void *data;
	int err, nr;

	while (due < want) {
		n = nfpchan_returnable(f->back, &data, NFPCHAN_FOREVER);
		if (n < 0)
			return n;
		there = n / PAIR_ELEM < want - due ? n / PAIR_ELEM : want - due;
		for (i = 0; i < there; i++, due++) {
			nr = pair_number((char *)data + (size_t)i * PAIR_ELEM);
			if (nr != (int)due)
				return FLOW_GONE(f->back, "element %d of request %u instead of %u",
						 nr, seq, due);
		}
		err = pair_return(f, data, there);
		if (err)
			return err;
	}
	return seq % PAIR_CHECK && f->last != seq ? 0 : pair_taken(f);
}
