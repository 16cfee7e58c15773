// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* chan_test.c - helpers of the channel tests: see chan_test.h. */
#define _GNU_SOURCE
#include <dirent.h>
#include <sys/random.h>
#include "chan_test.h"
#include "dir.h"
#include "pit.h"

struct nfpchan_card *card;

void __attribute__((noreturn)) give_up(const char *what, const char *why)
{
	printf("Bail out! %s: %s\n", what, why);
	fflush(stdout);
	_exit(1);
}

/* SIGALRM handler: print fdinfo of all open pipes, and end the program. */
void on_alarm(int sig)
{
	static const char what[] = "Bail out! time is up; open pipes:\n";
	ssize_t n = write(STDOUT_FILENO, what, sizeof(what) - 1);
	char buf[2048], path[32];
	int fd;

	for (fd = 3; n > 0 && fd < 256; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
		if (proc_read(path, buf, sizeof(buf)) && strstr(buf, "\nchan:\t"))
			n = write(STDOUT_FILENO, buf, strlen(buf));
	}
	_exit(sig);
}

void card_start(void)
{
	char why[256];

	signal(SIGALRM, on_alarm);
	alarm(PROGRAM_S);
	if (nfpchan_card_open(&card, "0", why, sizeof(why)))
		give_up("card", why);
}

struct nfpchan *chan_start_with(const char *name, const struct nfpchan_opts *opts)
{
	struct nfpchan *ch;
	char why[256];

	if (nfpchan_open(&ch, card, name, opts))
		give_up(name, nfpchan_card_error(card, why, sizeof(why)));
	return ch;
}

struct nfp_chan_query counters(const char *name)
{
	struct nfp_chan_query q = { .size = sizeof(q) };

	if (nfpchan_query(card, name, &q))
		give_up(name, "query");
	return q;
}

void *shared_memory(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	return p;
}

/*
 * Run @run in a child that has its own handle of the card. The child also inherits the channels
 * that the parent has open. Such a channel is closed only when both processes have closed it, so
 * fork before opening channels.
 */
pid_t spawn(void (*run)(void *arg), void *arg)
{
	pid_t pid = fork_or_die();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	card_start();
	run(arg);
	_exit(0);
}

/*
 * Wait for a child. Return its status as waitpid() does. The kernel has closed the files of a
 * killed child by then.
 */
int reap(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	return status;
}

/* Return the number of the system call in which a thread sleeps, or -1 while the thread runs. */
long sleeping_in(pid_t tid)
{
	char path[64], text[256];
	long nr;

	snprintf(path, sizeof(path), "/proc/%d/syscall", tid);
	if (!proc_read(path, text, sizeof(text)) || sscanf(text, "%ld", &nr) != 1)
		return -1;
	return nr;
}

/* Return the user CPU time of a process, in ticks. */
unsigned long cpu_used(pid_t pid)
{
	unsigned long user = 0;
	char path[64], text[1024], *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	proc_read(path, text, sizeof(text));
	p = strrchr(text, ')');
	if (p)
		sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &user);
	return user;
}

struct in_use in_use(void)
{
	struct nfp_chan_info info = { .size = sizeof(info) };
	struct in_use u = { .fds = 0 };
	struct dirent **list;
	char line[512];
	int i, n;

	if (nfpchan_card_info(card, &info))
		give_up("info", "failed");
	u.pipes = info.pipe_used;
	snprintf(line, sizeof(line), "/sys/bus/pci/devices/%s/msi_irqs", info.pci);
	n = scandir(line, &list, NULL, alphasort);
	if (n < 0)
		die(line);
	for (i = 0; i < n; i++) {
		strncat(u.vectors, list[i]->d_name, sizeof(u.vectors) - strlen(u.vectors) - 1);
		strncat(u.vectors, " ", sizeof(u.vectors) - strlen(u.vectors) - 1);
		free(list[i]);
	}
	free(list);
	u.lines = lines_with("/proc/interrupts", "nfp_chan");
	u.fds = dir_entries("/proc/self/fd");
	return u;
}

void nothing_left(const struct in_use *before, const char *after)
{
	struct in_use now = in_use();

	if (!ok(now.pipes == before->pipes && now.lines == before->lines &&
		now.fds == before->fds && !strcmp(now.vectors, before->vectors),
		"%s: no pipe, no vector, no file is left", after))
		printf("# pipes %u, was %u; interrupts %u, %u; files %u, %u\n# %s\n# %s\n",
		       now.pipes, before->pipes, now.lines, before->lines, now.fds, before->fds,
		       now.vectors, before->vectors);
}

uint32_t mix(uint32_t x)
{
	x = (x ^ x >> 16) * 0x45d9f3b;
	x = (x ^ x >> 16) * 0x45d9f3b;
	return x ^ x >> 16;
}

/* Checksum of the length, of the stamp's first two words, and of the bytes after the stamp */
uint32_t msg_sum(const uint8_t *buf, uint32_t len)
{
	uint32_t sum = mix(len + 1), i;

	for (i = 0; i < len; i++)
		if (i < offsetof(struct stamp, sum) || i >= sizeof(struct stamp))
			sum = (sum ^ buf[i]) * 16777619;
	return sum;
}

/*
 * Return the size of message @seq, 0 to @max. One in seven messages has 0 bytes, and one in seven
 * @max.
 */
uint32_t msg_size(uint32_t sender, uint32_t seq, uint32_t max)
{
	if (seq % 7 == 3)
		return 0;
	if (seq % 7 == 5)
		return max;
	return sizeof(struct stamp) + mix(sender << 20 ^ seq) % (max + 1 - sizeof(struct stamp));
}

void msg_fill(uint8_t *buf, uint32_t len, uint32_t sender, uint32_t seq)
{
	struct stamp s = { .sender = sender, .seq = seq };
	uint32_t i, x = mix(sender * 65599 + seq);

	if (!len)
		return;
	memcpy(buf, &s, sizeof(s));
	for (i = sizeof(s); i < len; i++)
		buf[i] = x + i * 7;
	s.sum = msg_sum(buf, len);
	memcpy(buf, &s, sizeof(s));
}

/* Check that a message is whole, and return its stamp. An empty message has a stamp of zeros. */
bool msg_whole(const uint8_t *buf, ssize_t len, struct stamp *s)
{
	memset(s, 0, sizeof(*s));
	if (!len)
		return true;
	if (len < (ssize_t)sizeof(*s))
		return false;
	memcpy(s, buf, sizeof(*s));
	return s->sum == msg_sum(buf, len);
}

int stamp_send(struct nfpchan *ch, uint32_t len, uint32_t sender, uint32_t seq,
	       int64_t timeout)
{
	uint8_t buf[MSG_MAX];

	msg_fill(buf, len, sender, seq);
	return nfpchan_send(ch, buf, len, timeout);
}

/* Receive a message. Return its stamp. If the message is not whole, the stamp's seq is ~0. */
struct stamp stamp_recv(struct nfpchan *ch)
{
	uint8_t buf[MSG_MAX];
	ssize_t n = nfpchan_recv(ch, buf, sizeof(buf), WAIT_NS);
	struct stamp s = { .seq = ~0U };
	char why[256];

	if (n < 0)
		give_up("receive", n == -ETIMEDOUT ? "nothing came" :
			nfpchan_error(ch, why, sizeof(why)));
	if (!msg_whole(buf, n, &s))
		s.seq = ~0U;
	return s;
}

bool stamp_is(struct stamp s, uint32_t sender, uint32_t seq)
{
	if (s.sender == sender && s.seq == seq)
		return true;
	printf("# message %u of sender %u instead of message %u of sender %u\n",
	       s.seq, s.sender, seq, sender);
	return false;
}

bool is_compared(const char *chan)
{
	return chan && (!strcmp(chan, "pit") || !strcmp(chan, "pit64") || !strcmp(chan, "sink64"));
}

/*
 * Return a random number that is not 0. A counter would start again in each test program, and the
 * card would meet numbers that earlier programs have used.
 */
uint32_t unused_number(void)
{
	uint32_t n;

	do {
		if (getrandom(&n, sizeof(n), 0) != sizeof(n))
			die("random number");
	} while (!n);
	return n;
}

/* Make a message whose contents the card can check. @len: at least sizeof(struct pit_msg). */
void compared_fill(uint8_t *buf, uint32_t len, uint32_t sender, uint32_t seq)
{
	struct pit_msg say = {
		.magic = htole64(PIT_MAGIC), .len = htole32(len),
		.sender = htole32(sender), .seq = htole32(seq),
	};
	const uint32_t from = offsetof(struct pit_msg, sender);
	uint32_t i;

	memcpy(buf, &say, sizeof(say));
	for (i = sizeof(say); i < len; i++)
		buf[i] = pit_byte(sender ^ seq, i);
	say.sum = htole32(pit_sum(PIT_SUM, buf + from, len - from));
	memcpy(buf, &say, sizeof(say));
}

/* Make bytes @at to @at + @len of a stream of @total bytes, which includes its header. */
void compared_bytes(uint8_t *buf, uint32_t len, uint64_t at, uint64_t total, uint32_t seed)
{
	struct pit_stream say = {
		.magic = htole64(PIT_STREAM), .len = htole64(total - sizeof(say)),
		.seed = htole32(seed),
	};
	uint32_t i;

	say.sum = htole32(pit_sum(PIT_SUM, (uint8_t *)&say, offsetof(struct pit_stream, sum)));
	for (i = 0; i < len; i++, at++)
		buf[i] = at < sizeof(say) ? ((uint8_t *)&say)[at] :
			 pit_byte(seed, at - sizeof(say));
}

/*
 * Check that the channel can still be opened. Its ME process ends when it receives wrong
 * contents, and the channel of an ended process cannot be opened.
 */
bool compared_well(const char *chan)
{
	struct nfpchan *ch;
	int err = nfpchan_open(&ch, card, chan, NULL);

	if (!ok(!err, "%s: the card has received the contents that were sent", chan)) {
		printf("# %s\n", strerror(-err));
		return false;
	}
	nfpchan_close(ch);
	return true;
}

void load_ask(uint32_t target, uint32_t count, uint32_t size, uint32_t token)
{
	struct load_req r = {
		.count = htole32(count), .size = htole32(size),
		.target = htole32(target), .token = htole32(token),
	};
	struct nfpchan *ctl = chan_start("load-ctl", 0);

	/*
	 * The close would drop a request that the card has not taken, so wait until the card has
	 * taken it.
	 */
	if (nfpchan_send(ctl, &r, sizeof(r), WAIT_NS) || nfpchan_drain(ctl, WAIT_NS))
		give_up("load-ctl", "request not taken");
	nfpchan_close(ctl);
}

/* Return the number of a message of a load request, or 0 if its contents are wrong. */
uint64_t load_seq(const void *buf, ssize_t n, uint32_t size, uint32_t token)
{
	const uint8_t *b = buf;
	struct load_msg m;
	uint64_t seq;
	uint32_t i;

	if (n != (ssize_t)size)
		return 0;
	memcpy(&m, buf, sizeof(m));
	seq = le64toh(m.seq);
	if (le32toh(m.token) != token)
		return 0;
	for (i = sizeof(m); i < size; i++)
		if (b[i] != (uint8_t)(seq + i))
			return 0;
	return seq;
}

uint64_t load_recv(struct nfpchan *ch, uint32_t size, uint32_t token)
{
	uint8_t buf[MSG_MAX];
	ssize_t n = nfpchan_recv(ch, buf, sizeof(buf), WAIT_NS);

	return n < 0 ? 0 : load_seq(buf, n, size, token);
}

/* Receive the messages of a load request. Return how many came before the first wrong one. */
uint32_t load_all(struct nfpchan *ch, uint32_t count, uint32_t size, uint32_t token)
{
	uint32_t n = 0;

	while (n < count && load_recv(ch, size, token) == n + 1)
		n++;
	return n;
}
