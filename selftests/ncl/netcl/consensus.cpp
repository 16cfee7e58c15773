// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Leader, acceptors and a learner: a kernel of three versions, groups, devices by number. */
#include <netcl.hpp>

#define INSTANCES	8
#define WORDS		4

using namespace ncl;

enum message { prepare = 1, promise = 2, accept = 4, accepted = 8, propose = 16, reset = 32 };

_at(4) _kernel(1) void leader(message &type, uint32_t &instance, uint16_t round, uint16_t &voted,
			      uint8_t &vote, uint32_t value[WORDS])
{
	static _net_ uint32_t next;

	if (type == propose) {
		type = accept;
		instance = atomic_add(&next, 1) % INSTANCES;
		return _multicast(11);
	}
	if (type == reset)
		next = 0;
	_drop();
}

_at(1, 2, 3, 5) _net_ uint32_t values[WORDS][INSTANCES];
_at(1, 2, 3, 5) _net_ uint16_t rounds[INSTANCES];

_at(1, 2, 3) _kernel(1) void acceptor(message &type, uint32_t &instance, uint16_t round,
				      uint16_t &voted, uint8_t &vote, uint32_t value[WORDS])
{
	static _net_ uint16_t votes[INSTANCES];
	uint32_t at = instance % INSTANCES;

	if (!(type & (prepare | accept)))
		return _drop();
	if (atomic_max_new(&rounds[at], round) != round)
		return _drop();
	vote = 1 << (device.id - 1);
	if (type == prepare) {
		type = promise;
		voted = votes[at];
		for (auto i = 0; i < WORDS; i++)
			value[i] = values[i][at];
		return _send_to_device(4);
	}
	type = accepted;
	votes[at] = round;
	for (auto i = 0; i < WORDS; i++)
		values[i][at] = value[i];
	_multicast(12);
}

_at(5) _kernel(1) void learner(message &type, uint32_t &instance, uint16_t round, uint16_t &voted,
			       uint8_t &vote, uint32_t value[WORDS])
{
	static uint8_t voters[INSTANCES];
	static const _lookup_ uint8_t most[] = { 3, 5, 6, 7 };
	uint32_t at = instance % INSTANCES;

	if (type != accepted)
		return _send_to_host(7);

	uint16_t before = atomic_max(&rounds[at], round);

	if (round < before)
		return _drop();
	for (auto i = 0; i < WORDS; i++)
		values[i][at] = value[i];
	vote |= round > before ? atomic_write(&voters[at], vote) & 0 : atomic_or(&voters[at], vote);
	if (!lookup(most, vote))
		return _drop();
	_multicast(42);
}
