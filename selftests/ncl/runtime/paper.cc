// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * paper.cc - figure 4 of the NCL paper with its main(), and the other functions of namespace ncl.
 *
 * The kernel of the figure adds a window twice if the window is sent again. The test therefore has
 * one worker, on a network that loses no packet. The worker may run on another machine than the device:
 * `ncl serve` lets it write the variables of the device.
 */
#include <ncl.h>
#include <cerrno>
#include <cstdio>
#include <vector>

#define DATA_LEN	1024
#define WIN_LEN		16

_net_ _at_("s1") int accum[DATA_LEN] = {0};
_net_ _at_("s1") unsigned count[DATA_LEN / WIN_LEN] = {0};
_net_ _at_("s1") _ctrl_ unsigned nworkers;
_net_ _at_("s1") ncl::Map<uint64_t, uint8_t, 16> Idx;

_net_ _out_ _win_(WIN_LEN) void allreduce(int *data)
{
	unsigned base = window.seq * window.len;

	for (unsigned i = 0; i < window.len; ++i)
		accum[base + i] += data[i];
	if (++count[window.seq] == nworkers) {
		memcpy(data, &accum[base], window.len * 4);
		count[window.seq] = 0;
		_bcast();
	} else {
		_drop();
	}
}

_net_ _out_ _win_(4) void lookup(uint64_t key, int32_t add, uint16_t *val)
{
	if (auto *found = Idx[key]) {
		val[1] = *found + add;
		_reflect();
	} else {
		_drop();
	}
}

static unsigned int results;

_net_ _in_ _pair_("allreduce") void result(int *data, _ext_ int *hdata, _ext_ bool *done)
{
	memcpy(&hdata[window.seq * window.len], data, window.len * 4);
	*done = ++results == DATA_LEN / WIN_LEN;
}

static int data[DATA_LEN], hdata[DATA_LEN];

#define NEED(cond) do { \
	if (!(cond)) { \
		printf("# %s:%d: %s: %s\n", __FILE__, __LINE__, #cond, ncl_error()); \
		return 1; \
	} \
} while (0)

static int sums()
{
	ncl::mask mask = {WIN_LEN};
	bool done = false;
	ncl::wnd wnd;

	for (int i = 0; i < DATA_LEN; i++)
		data[i] = i;
	ncl::ctrl_wr(&nworkers, 1);
	ncl::out(allreduce, {data}, wnd, mask);
	while (!done)
		ncl::in(result, {hdata, &done}, wnd, mask);
	for (int i = 0; i < DATA_LEN; i++)
		NEED(hdata[i] == i);
	return 0;
}

static int others()
{
	uint16_t val[4] = {7, 0, 9, 0};
	ncrt_window w;

	ncl::map_put(Idx, 5, 200);
	NEED(ncl::map_get(Idx, 5) == 200);
	w = ncl::out_window(lookup, {5, -1, val});
	NEED(static_cast<uint16_t *>(ncrt_arg_at(ncl_session(), &w, 2))[1] == 199);
	ncl::wnd back;
	back.flags = NCRT_BACK;
	ncl::out(lookup, {5, 1, val}, back);
	NEED(val[0] == 7 && val[1] == 201 && val[2] == 9);
	NEED(ncl::ctrl_rd(&nworkers) == 1);
	return 0;
}

static int failures()
{
	int code = 0;

	try {
		ncl::out(allreduce, {std::vector<int>(17).data()});
	} catch (const ncl::error &e) {
		code = e.code;
	}
	NEED(code == -EINVAL);
	try {
		std::vector<int> odd(17);
		ncl::out(allreduce, {odd});
	} catch (const ncl::error &e) {
		NEED(strstr(e.what(), "17 elements of data are no multiple of 16"));
		code = 0;
	}
	NEED(!code);
	try {
		ncl::map_del(Idx, 77);
	} catch (const ncl::error &e) {
		code = e.code;
	}
	NEED(code == -ESRCH);
	return 0;
}

int main()
{
	try {
		return sums() || others() || failures();
	} catch (const ncl::error &e) {
		printf("# %s\n", e.what());
		return 1;
	}
}
