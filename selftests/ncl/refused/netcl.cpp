// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* netcl.cpp - NetCL's dialect */
#include <netcl.hpp>

/* ---- netcl_at: 5: _at(1): node 1 of selftests/ncl/programs/net.and is host "w1" */
_kernel(1) _at(1) void k(uint32_t v)
{
	_drop();
}

/* ---- netcl_device: 7: _send_to_device(9): selftests/ncl/programs/net.and has no node 9 */
_kernel(1) void k(uint32_t v)
{
	_send_to_device(9);
}

/* ---- netcl_dims: 7: table 'keys' has 2 dimensions; a table needs one, its number of entries */
using namespace ncl;

_managed_ _lookup_ uint32_t keys[2][8];

_kernel(1) void k(uint32_t key)
{
	if (lookup(keys[0], key))
		_drop();
}

/* ---- netcl_group: 7: _multicast(5): selftests/ncl/programs/net.and has no group 5; add a line "multicast 5 LABEL..." */
_kernel(1) void k(uint32_t v)
{
	_multicast(5);
}

/* ---- netcl_host: 7: _send_to_host(3): node 3 of selftests/ncl/programs/net.and is device "s1" */
_kernel(1) void k(uint32_t v)
{
	_send_to_host(3);
}

/* ---- netcl_number: 5: _kernel(0): the number of a kernel must be 1 to 4096 */
_kernel(0) void k(uint32_t v)
{
	_drop();
}

/* ---- netcl_ranges: 7: table 'keys' has entries that are neither ncl_kv nor numbers; a table of ranges must be const */
using namespace ncl;

_managed_ _lookup_ rv<uint32_t, uint32_t> keys[8];

_kernel(1) void k(uint32_t key, uint32_t &v)
{
	if (lookup(keys, key, v))
		_drop();
}

/* ---- netcl_table: 7: table 'keys' is neither const nor _managed_ */
using namespace ncl;

_net_ _lookup_ kv<uint32_t, uint32_t> keys[] = { { 1, 2 } };

_kernel(1) void k(uint32_t key, uint32_t &v)
{
	if (lookup(keys, key, v))
		_drop();
}

/* ---- netcl_types: 7: table 'keys' has keys or values that are neither numbers nor structures */
using namespace ncl;

_managed_ _lookup_ kv<uint32_t, char *> keys[8];

_kernel(1) void k(uint32_t key)
{
	char *v;

	if (lookup(keys, key, v))
		_drop();
}
