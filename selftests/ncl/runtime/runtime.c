// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * runtime.c - kernels and hosts that test libncrt with nclc and ncl deploy.
 *
 *	runtime sum ROUNDS	worker: sums arrays with the other workers, and checks the sums
 *	runtime client		checks the answers of kernels and of the server
 *	runtime serve		server: answers windows of ask, counts windows of note, until killed
 *	runtime ctrl		writes and reads variables and maps, on the machine of the device
 *	runtime away		writes and reads variables of a device on another machine
 *	runtime refused TEXT	fails to write a variable; the message contains TEXT
 *	runtime late		worker: sums until a call times out, because a worker was killed
 *	runtime abandon		kills a process that writes a variable; other processes then write it
 */
#define NCL_WINDOW uint32_t ver; uint16_t slot;
#include <ncl.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS	4
#define WIN	8
#define SLOTS	32

/*
 * Each worker has two cells per slot, for even and odd `ver`: a worker that has received the sums
 * may be one round ahead of a worker that has not. turn[][] has the `ver` of each cell.
 */
_net_ _at_("s1") int cell[2 * SLOTS][WORKERS][WIN];
_net_ _at_("s1") uint32_t turn[2 * SLOTS][WORKERS];

_net_ _out_ _win_(WIN) void sum(int *data)
{
	unsigned int from = window.from - 1, n = 0, i, k;
	unsigned int s = (window.ver & 1) * SLOTS + (window.slot & (SLOTS - 1));

	if (from >= WORKERS || (turn[s][from] && (int)(window.ver - turn[s][from]) < 0)) {
		_drop();
		return;
	}
	for (i = 0; i < WIN; i++)
		cell[s][from][i] = data[i];
	turn[s][from] = window.ver;
	for (k = 0; k < WORKERS; k++)
		n += turn[s][k] == window.ver;
	if (n != WORKERS) {
		_drop();
		return;
	}
	for (i = 0; i < WIN; i++)
		data[i] = cell[s][0][i] + cell[s][1][i] + cell[s][2][i] + cell[s][3][i];
	_bcast();
}

_net_ _in_ _pair_("sum") void sums(int *data, _ext_ int *to, _ext_ unsigned int *windows)
{
	memcpy(to + window.seq * WIN, data, WIN * sizeof(*data));
	++*windows;
}

_net_ _ctrl_ _at_("s1") uint32_t bias[2][3];

_net_ _out_ _win_(1) void calc(uint32_t a, int32_t b, uint32_t *r)
{
	*r = a + b + bias[a & 1][2];
	_reflect();
}

_net_ _at_("s1") ncl_map(uint64_t, uint32_t, 16) names;

_net_ _out_ _win_(1) void look(uint64_t key, uint32_t *val)
{
	const uint32_t *found = ncl_get(names, key);

	if (found) {
		*val = *found;
		_reflect();
	}
}

/* The device passes windows of ask and note to the host behind it. That host answers ask. */
_net_ _out_ _win_(32) void ask(uint64_t key, char *text)
{
}

_net_ _out_ _win_(4) void note(uint32_t *data)
{
}

/* ---- hosts ---- */

#define WINDOWS	100
#define NEED(cond) do { \
	if (!(cond)) { \
		fprintf(stderr, "# %s:%d: %s: %s\n", __FILE__, __LINE__, #cond, ncl_error()); \
		exit(1); \
	} \
} while (0)

static struct ncrt_wnd wnd = { .size = sizeof(wnd) };

static int self(void)
{
	struct ncrt *nc = ncl_session();

	NEED(nc);
	return ncrt_node(nc, NULL);
}

static int element(int node, int round, int i)
{
	return i * 7 + node * 1000003 + round * 31;
}

static int total(int round, int i)
{
	return element(1, round, i) + element(2, round, i) + element(3, round, i) +
	       element(4, round, i);
}

static int main_sum(int rounds)
{
	static int data[WINDOWS * WIN], got[WINDOWS * WIN];
	unsigned int windows = 0;
	struct ncrt_stats st;
	int round, i;

	for (round = 0; round < rounds; round++) {
		for (i = 0; i < WINDOWS * WIN; i++)
			data[i] = element(self(), round, i);
		/*
		 * In even rounds the incoming kernel stores the sums in got; in odd rounds
		 * libncrt stores them in data.
		 */
		wnd.flags = round & 1 ? NCRT_BACK : 0;
		NEED(ncl_out(sum, &wnd, ncl_array(data, WINDOWS * WIN)) == WINDOWS);
		for (i = 0; !(round & 1) && i < WINDOWS; i++)
			NEED(!ncl_in(sums, NCRT_NONBLOCK, got, &windows));
		for (i = 0; i < WINDOWS * WIN; i++)
			NEED((round & 1 ? data : got)[i] == total(round, i));
	}
	NEED(windows == (unsigned int)(rounds + 1) / 2 * WINDOWS);
	ncrt_stats(ncl_session(), &st, sizeof(st));
	NEED(!st.malformed && st.done == (uint64_t)rounds * WINDOWS);
	printf("# %s: %d rounds, %lu windows again, %lu duplicates, %lu us each\n",
	       ncrt_label(ncl_session(), (unsigned int)self()), rounds, st.again, st.duplicates,
	       st.rtt_ns / 1000);
	return 0;
}

static int main_late(void)
{
	static int data[WINDOWS * WIN];
	int64_t ret;

	wnd.flags = NCRT_BACK;
	wnd.timeout_ms = 300;
	do {
		ret = ncl_out(sum, &wnd, ncl_array(data, WINDOWS * WIN));
		printf("at work\n");
		fflush(stdout);
	} while (ret > 0);
	NEED(ret == -ETIMEDOUT && strstr(ncl_error(), "sum: window "));
	printf("# %s\n", ncl_error());
	return 0;
}

static void questions(void)
{
	char text[32], want[32];
	struct ncrt_window w;
	uint64_t key;

	wnd.to = (uint32_t)ncrt_node(ncl_session(), "server");
	wnd.flags = NCRT_BACK;
	for (key = 0; key < 50; key++) {
		memset(text, 0, sizeof(text));
		NEED(!ncl_out_window(ask, &wnd, &w, ncl_value(key), ncl_array(text, 32)));
		snprintf(want, sizeof(want), "%lu of %d", key, self());
		NEED(!strcmp(text, want) && w.from == wnd.to);
	}
	wnd.flags = 0;
}

static void notes(void)
{
	static uint32_t data[4 * WINDOWS];
	struct ncrt_window w;
	unsigned int i;

	for (i = 0; i < 4 * WINDOWS; i++)
		data[i] = i;
	wnd.mode = NCRT_ACK;
	NEED(ncl_out(note, &wnd, ncl_array(data, 4 * WINDOWS)) == WINDOWS);
	wnd.mode = NCRT_REPLY;
	/* Ask the server for the number of notes that it has received, and for their sum. */
	NEED(!ncl_out_window(ask, &wnd, &w, ncl_value(1000), ncl_array((char [32]){ 0 }, 32)));
	NEED(!strcmp(ncrt_arg_at(ncl_session(), &w, 1), "100 notes, 79800"));
}

static int main_client(void)
{
	struct ncrt_window w;
	uint32_t zero = 0;
	int32_t i;

	self();
	for (i = 0; i < 100; i++) {
		NEED(!ncl_out_window(calc, &wnd, &w, ncl_value(i), ncl_value(-3 * i),
				     ncl_array(&zero, 1)));
		NEED(*(uint32_t *)ncrt_arg_at(ncl_session(), &w, 2) == (uint32_t)((i & 1 ? 70000 : 5) - 2 * i));
	}
	NEED(!ncl_out_window(look, &wnd, &w, ncl_value(1ull << 40), ncl_array(&zero, 1)));
	NEED(*(uint32_t *)ncrt_arg_at(ncl_session(), &w, 1) == 4711);
	questions();
	notes();
	return 0;
}

static int main_serve(void)
{
	struct ncrt *nc = ncl_session();
	unsigned int count = 0, all = 0, i;
	struct ncrt_window w;
	const uint32_t *data;
	uint64_t key;

	NEED(nc);
	printf("# ready\n");
	fflush(stdout);
	for (;;) {
		NEED(!ncrt_recv(nc, NULL, &w, NCRT_FOREVER));
		if (w.size == 24) {
			data = ncrt_arg_at(nc, &w, 0);
			count++;
			for (i = 0; i < 4; i++)
				all += data[i];
			continue;
		}
		memcpy(&key, ncrt_arg_at(nc, &w, 0), sizeof(key));
		if (key == 1000)
			snprintf(ncrt_arg_at(nc, &w, 1), 32, "%u notes, %u", count, all);
		else
			snprintf(ncrt_arg_at(nc, &w, 1), 32, "%lu of %u", key, w.from);
		NEED(!ncrt_answer(nc, &w));
	}
}

static volatile sig_atomic_t alarms;

static void alarmed(int sig)
{
	(void)sig;
	alarms++;
}

/*
 * Write and read row cell[2][3] while a timer sends signals. No call may fail, and the rows
 * before and after must not change.
 */
static int interrupted(void)
{
	const struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { 0 };
	const size_t row = (2 * WORKERS + 3) * WIN;
	struct sigaction sa = { .sa_handler = alarmed };
	int in[WIN], out[WIN], i, k, y;

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 1; i <= 30; i++) {
		for (k = 0; k < WIN; k++)
			in[k] = i * 100 + k;
		NEED(!ncrt_ctrl_wr(ncl_session(), "cell", NULL, row, in, WIN, sizeof(*in)));
		NEED(!ncrt_ctrl_rd(ncl_session(), "cell", NULL, row, out, WIN, sizeof(*out)));
		NEED(!memcmp(in, out, sizeof(in)));
	}
	setitimer(ITIMER_REAL, &never, NULL);
	NEED(alarms);
	NEED(!ncl_ctrl_rd(&cell[2][2][7], &y) && y == 0);
	NEED(!ncl_ctrl_rd(&cell[2][3][7], &y) && y == 3007);
	NEED(!ncl_ctrl_rd(&cell[3][0][0], &y) && y == 0);
	memset(in, 0, sizeof(in));
	NEED(!ncrt_ctrl_wr(ncl_session(), "cell", NULL, row, in, WIN, sizeof(*in)));
	return 0;
}

static int main_ctrl(void)
{
	uint32_t x = 0;
	int y;

	NEED(!ncl_ctrl_wr(&bias[1][2], 70000));
	NEED(!ncl_ctrl_wr(&bias[0][2], 5));
	NEED(!ncl_ctrl_rd(&bias[1][2], &x) && x == 70000);
	NEED(!ncl_ctrl_rd(&bias[1][1], &x) && x == 0);
	NEED(!ncl_map_put(names, 1ull << 40, 1));
	NEED(!ncl_map_put(names, 1ull << 40, 4711));
	NEED(!ncl_map_put(names, 8, 1));
	NEED(!ncl_map_get(names, 8, &x) && x == 1);
	NEED(!ncl_map_del(names, 8));
	NEED(ncl_map_get(names, 8, &x) == -ESRCH && ncl_map_del(names, 8) == -ESRCH);
	NEED(!ncl_map_get(names, 1ull << 40, &x) && x == 4711);
	/*
	 * libncrt holds the lock of the kernels while it writes a variable that they write as
	 * well.
	 */
	NEED(!ncl_ctrl_rd(&cell[1][2][3], &y) && y == 0);
	NEED(!ncl_ctrl_wr(&cell[1][2][3], -1) && !ncl_ctrl_rd(&cell[1][2][3], &y) && y == -1);
	NEED(!ncl_ctrl_rd(&cell[1][2][2], &y) && y == 0);
	NEED(!ncl_ctrl_rd(&cell[1][3][3], &y) && y == 0);
	NEED(!ncl_ctrl_wr(&cell[1][2][3], 0));
	NEED(ncrt_ctrl_wr(ncl_session(), "cell", NULL, 2 * SLOTS * WORKERS * WIN, &y, 1, 4) == -EINVAL);
	NEED(ncrt_ctrl_wr(ncl_session(), "bias", NULL, 0, &y, 1, 8) == -EINVAL);
	NEED(ncrt_ctrl_wr(ncl_session(), "names", NULL, 0, &y, 1, 4) == -EINVAL);
	return interrupted();
}

/*
 * Requests and answers are lost and duplicated. Each request must be executed once: a second deletion
 * of the key would fail.
 */
static void away_maps(void)
{
	uint64_t key;
	uint32_t x;

	for (key = 100; key < 140; key++) {
		NEED(!ncl_map_put(names, key, (uint32_t)key * 3));
		NEED(!ncl_map_get(names, key, &x) && x == key * 3);
		NEED(!ncl_map_del(names, key));
		NEED(ncl_map_get(names, key, &x) == -ESRCH);
		NEED(strstr(ncl_error(), "names of s1: the key is not there"));
	}
	for (key = 100; key < 100 + 16; key++)
		NEED(!ncl_map_put(names, key, 1) || key > 100 + 14);
	NEED(ncl_map_put(names, 1ull << 50, 1) == -E2BIG);
	for (key = 100; key < 100 + 16; key++)
		NEED(!ncl_map_del(names, key) || key > 100 + 14);
}

static int main_away(void)
{
	uint32_t all[6] = { 1, 2, 5, 4, 0, 70000 }, got[6], x, now;
	struct ncrt *nc;
	int y = 0;

	self();
	nc = ncl_session();
	for (x = 0; x < 50; x++) {
		NEED(!ncl_ctrl_wr(&bias[1][1], x));
		NEED(!ncl_ctrl_rd(&bias[1][1], &now) && now == x);
	}
	NEED(!ncrt_ctrl_wr(nc, "bias", "s1", 0, all, 6, 4));
	NEED(!ncrt_ctrl_rd(nc, "bias", NULL, 0, got, 6, 4) && !memcmp(all, got, sizeof(all)));
	away_maps();
	NEED(ncl_ctrl_wr(&cell[0][0][0], y) == -EACCES && ncl_ctrl_rd(&cell[0][0][0], &y) == -EACCES);
	NEED(strstr(ncl_error(), "cell of s1 is not _ctrl_"));
	NEED(ncrt_ctrl_wr(nc, "bias", NULL, 6, &y, 1, 4) == -EINVAL);
	NEED(ncrt_ctrl_wr(nc, "bias", "w1", 0, &y, 1, 4) == -ENOENT);
	return 0;
}

static int main_refused(const char *text)
{
	NEED(ncl_ctrl_wr(&bias[0][0], 1) < 0);
	NEED(strstr(ncl_error(), text));
	return 0;
}

#define SHARED_ROW	(5 * WORKERS * WIN)	/* first element of the row cell[5][0] */

/*
 * Start a process that writes @value to element @i of a row: once if @started is negative, otherwise
 * until it is killed. It writes a byte to the pipe @started after the first write.
 */
static pid_t writer(size_t i, int value, int started)
{
	pid_t pid = fork();
	bool once = started < 0;

	NEED(pid >= 0);
	if (pid)
		return pid;
	do {
		NEED(!ncrt_ctrl_wr(ncl_session(), "cell", NULL, SHARED_ROW + i, &value, 1, sizeof(value)));
		if (started >= 0)
			NEED(write(started, "", 1) == 1 && !close(started));
		started = -1;
	} while (!once);
	_exit(0);
}

/* Start a process that writes without end, and kill it after its first write. */
static void kill_writer(int value)
{
	int fd[2], status;
	pid_t pid;
	char c;

	NEED(!pipe(fd));
	pid = writer(0, value, fd[1]);
	close(fd[1]);
	NEED(read(fd[0], &c, 1) == 1);
	close(fd[0]);
	NEED(!kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
}

/*
 * Kill a process that writes a variable, and that may hold its lock. Then let several processes
 * write the variable at the same time. Each process writes one element of a row, and all of these
 * elements are in one entry of the BPF map. So a write would be lost if two processes held the lock
 * at the same time.
 */
static int main_abandon(void)
{
	int round, i, status, row[WIN] = { 0 };
	pid_t pid[WIN];

	self();
	for (round = 1; round <= 40; round++) {
		kill_writer(round);
		for (i = 1; i < WIN; i++)
			pid[i] = writer((size_t)i, round, -1);
		for (i = 1; i < WIN; i++)
			NEED(waitpid(pid[i], &status, 0) == pid[i] && !status);
		NEED(!ncrt_ctrl_rd(ncl_session(), "cell", NULL, SHARED_ROW, row, WIN, sizeof(*row)));
		for (i = 0; i < WIN; i++)
			NEED(row[i] == round);
	}
	memset(row, 0, sizeof(row));
	NEED(!ncrt_ctrl_wr(ncl_session(), "cell", NULL, SHARED_ROW, row, WIN, sizeof(*row)));
	return 0;
}

int main(int argc, char **argv)
{
	const char *role = argc > 1 ? argv[1] : "";

	if (!strcmp(role, "sum") && argc == 3)
		return main_sum(atoi(argv[2]));
	if (!strcmp(role, "client"))
		return main_client();
	if (!strcmp(role, "serve"))
		return main_serve();
	if (!strcmp(role, "ctrl"))
		return main_ctrl();
	if (!strcmp(role, "late"))
		return main_late();
	if (!strcmp(role, "abandon"))
		return main_abandon();
	if (!strcmp(role, "away"))
		return main_away();
	if (!strcmp(role, "refused") && argc == 3)
		return main_refused(argv[2]);
	fprintf(stderr, "usage: runtime sum ROUNDS | client | serve | ctrl | away | refused TEXT |"
			" late | abandon\n");
	return 2;
}
