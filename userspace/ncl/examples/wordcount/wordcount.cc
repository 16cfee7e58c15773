/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * Aggregation by key: mappers send pairs of a word and a number, and the device adds up the
 * numbers of the words that it knows. A window that also has other words goes on to the reducer.
 *
 * The device adds a window once, also if the mapper sends the window again: for each slot of each
 * mapper it keeps the number of the last window (window.ver, which rises with each use of the
 * slot). It removes the words that it knows from every window, also from a repeated one, so the
 * set of these words must not change while mappers send.
 */
#include <stdint.h>

#define NCL_WINDOW	uint32_t ver; uint16_t slot;
#include <ncl.h>

#define WIN	8	/* pairs in a window */
#define WORDS	256	/* words that the device knows */
#define SLOTS	8	/* windows that a mapper has outstanding */
#define NODES	32

_net_ _at_("s1") ncl::Map<uint64_t, uint16_t, WORDS> place;
_net_ _at_("s1") uint64_t total[WORDS];
_net_ _at_("s1") uint32_t last[NODES][SLOTS];

_net_ _out_ _at_("s1") _win_(WIN, WIN) void count(const uint64_t *word, uint32_t *n)
{
	uint32_t mapper = window.from % NODES, slot = window.slot % SLOTS, rest = 0;
	uint32_t before = last[mapper][slot];
	int32_t age = before ? (int32_t)(window.ver - before) : 1;

	if (age < 0) {
		_drop();
		return;
	}
	last[mapper][slot] = window.ver;
	for (int i = 0; i < WIN; i++) {
		auto *p = place[word[i]];

		if (p) {
			total[*p % WORDS] += age ? n[i] : 0;
			n[i] = 0;
		}
		rest |= n[i];
	}
	if (!rest)
		_reflect();
}

/* ---- the hosts' code ---- */

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

using Counts = std::map<uint64_t, uint64_t>;

static const uint64_t END = ~0ull;	/* a mapper's last word: it has no more */
static const unsigned int LETTERS = 12;	/* a word is its first ones, of 5 bits each */
static const int64_t LINGER = 1000000000;	/* ns; a window without an answer comes again sooner */

static std::string text_of(uint64_t word)
{
	std::string s;

	for (; word; word >>= 5)
		s.insert(s.begin(), static_cast<char>('a' - 1 + (word & 31)));
	return s;
}

/* The next words of a text, so many at most */
static Counts words_of(std::istream &in, unsigned int most)
{
	Counts counts;
	uint64_t word = 0;
	unsigned int letters = 0;

	while (most && in) {
		int c = in.get();

		if (c != EOF && isalpha(c)) {
			if (letters++ < LETTERS)
				word = word << 5 | static_cast<uint64_t>(tolower(c) - 'a' + 1);
			continue;
		}
		if (word) {
			counts[word]++;
			most--;
		}
		word = letters = 0;
	}
	return counts;
}

static void send(const Counts &counts)
{
	std::vector<uint64_t> word;
	std::vector<uint32_t> n;
	ncl::wnd wnd;

	for (const auto &c : counts) {
		word.push_back(c.first);
		n.push_back(static_cast<uint32_t>(c.second));
	}
	wnd.slots = SLOTS;
	wnd.flags = NCRT_QUIET | NCRT_PAD;
	if (!word.empty())
		ncl::out(count, {word, n}, wnd, {WIN, WIN});
}

static int map_file(const char *path)
{
	std::ifstream in(path);

	if (!in)
		return perror(path), 1;
	while (in)
		send(words_of(in, 500));
	send({{END, 1}});
	return 0;
}

/* The most frequent words of a sample are the device's; it must know them before mappers begin. */
static std::vector<uint64_t> choose(const char *sample)
{
	std::vector<std::pair<uint64_t, uint64_t>> order;
	std::vector<uint64_t> known;
	std::ifstream in(sample);

	for (const auto &c : words_of(in, ~0u))
		order.emplace_back(c.second, c.first);
	std::sort(order.rbegin(), order.rend());
	if (order.size() > WORDS)
		order.resize(WORDS);
	for (const auto &o : order) {
		ncl::map_put(place, o.second, static_cast<uint16_t>(known.size()));
		known.push_back(o.second);
	}
	return known;
}

/* Count a window, unless it is a copy; false: it is older than one that was answered. */
static bool add(ncrt *nc, ncrt_window *w, Counts *counts)
{
	static uint32_t had[NODES][SLOTS];
	auto ver = *static_cast<uint32_t *>(ncrt_field_at(nc, w, "ver"));
	auto slot = *static_cast<uint16_t *>(ncrt_field_at(nc, w, "slot"));
	auto *word = static_cast<uint64_t *>(ncrt_arg_at(nc, w, 0));
	auto *n = static_cast<uint32_t *>(ncrt_arg_at(nc, w, 1));
	uint32_t *before = &had[w->from % NODES][slot % SLOTS];

	if (*before && static_cast<int32_t>(ver - *before) < 0)
		return false;
	for (int i = 0; i < WIN && *before != ver; i++)
		if (n[i])
			(*counts)[word[i]] += n[i];
	*before = ver;
	return true;
}

/* Receive, count and answer a window; false: none came within @timeout ns. */
static bool serve(ncrt *nc, Counts *counts, int64_t timeout)
{
	ncrt_window w;
	int ret = ncrt_recv(nc, "count", &w, timeout);

	if (ret == -ETIMEDOUT)
		return false;
	ncl::check(ret);
	if (add(nc, &w, counts))
		ncl::check(ncrt_answer(nc, &w));
	return true;
}

static int reduce(unsigned long mappers, const char *sample)
{
	ncrt *nc = ncl_session();
	Counts counts;
	uint64_t here = 0, there = 0;

	if (!nc)
		throw ncl::error(-1);
	std::vector<uint64_t> known = choose(sample);

	std::cout << "ready" << std::endl;
	while (counts[END] < mappers)
		serve(nc, &counts, NCRT_FOREVER);
	/* If the answer to a last window was lost, its mapper sends the window again. */
	while (serve(nc, &counts, LINGER))
		;
	counts.erase(END);
	for (const auto &c : counts)
		here += c.second;
	for (size_t i = 0; i < known.size(); i++) {
		uint64_t n = ncl::ctrl_rd(&total[i]);

		there += n;
		if (n)
			counts[known[i]] += n;
	}
	for (const auto &c : counts)
		std::cout << text_of(c.first) << ' ' << c.second << '\n';
	std::cerr << "wordcount: " << there << " words were counted by the device, " << here
		  << " by the reducer\n";
	return 0;
}

int main(int argc, char **argv)
try {
	if (argc == 3 && !strcmp(argv[1], "map"))
		return map_file(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "reduce"))
		return reduce(strtoul(argv[2], nullptr, 0), argv[3]);
	std::cerr << "usage: wordcount reduce MAPPERS SAMPLE	(where the device is)\n"
		     "       wordcount map FILE\n"
		     "The device counts the most frequent words of SAMPLE.\n";
	return 2;
} catch (const ncl::error &e) {
	std::cerr << "wordcount: " << e.what() << '\n';
	return 1;
}
