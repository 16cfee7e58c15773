// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_bpf_maps.c - the emulated card's array and hash maps.
 */
#include "bpf_maps.h"
#include "bytes.h"
#include "host.h"
#include "mem_map.h"
#include "random.h"

static const struct bd_map_attr hash4 = { BD_MAP_HASH, 4, 8, 4, 0 };
static const struct bd_map_attr array4 = { BD_MAP_ARRAY, 4, 8, 4, 0 };

#define ELEMS_MAX	2048000u	/* of firmware "full": fw_full.caps */

static int setup(void **state)
{
	struct host *h = host_create_full(NULL, NULL);
	char err[256];

	assert_int_equal(board_set(h->b, "app", "bpf", err, sizeof(err)), 0);
	*state = h;
	return 0;
}

static uint32_t alloc(struct board *b, const struct bd_map_attr *a)
{
	uint32_t tid = 0;

	assert_int_equal(bd_map_alloc(b, a, &tid), 0);
	assert_in_range(tid, 1, BD_MAPS_MAX);
	return tid;
}

static void free_map(struct board *b, uint32_t tid, uint32_t entries)
{
	uint32_t count = ~0u;

	assert_int_equal(bd_map_free(b, tid, &count), 0);
	assert_int_equal(count, entries);
}

static int put(struct board *b, uint32_t tid, uint32_t key, uint64_t value, uint32_t flags)
{
	return bd_map_update(b, tid, &key, &value, flags);
}

static uint64_t get(struct board *b, uint32_t tid, uint32_t key)
{
	uint64_t addr = 0, v;

	assert_int_equal(bd_map_lookup(b, tid, &key, &addr), 0);
	assert_int_equal(addr % 8, 0);
	memcpy(&v, board_mem_ptr(b, addr, 8), 8);
	return v;
}

static int missing(struct board *b, uint32_t tid, uint32_t key)
{
	uint64_t addr;

	return bd_map_lookup(b, tid, &key, &addr);
}

static void test_attributes(void **state)
{
	static const struct {
		struct bd_map_attr a;
		int err;
	} t[] = {
		{ { 0, 4, 8, 4, 0 }, -EINVAL },
		{ { 3, 4, 8, 4, 0 }, -EINVAL },
		{ { ~0u, 4, 8, 4, 0 }, -EINVAL },
		{ { BD_MAP_HASH, 4, 8, 4, 1 }, -EINVAL },
		{ { BD_MAP_HASH, 0, 8, 4, 0 }, -EINVAL },
		{ { BD_MAP_HASH, 4, 0, 4, 0 }, -EINVAL },
		{ { BD_MAP_HASH, 4, 8, 0, 0 }, -EINVAL },
		{ { BD_MAP_ARRAY, 8, 8, 4, 0 }, -EINVAL },
		{ { BD_MAP_HASH, 57, 1, 4, 0 }, -E2BIG },
		{ { BD_MAP_HASH, 1, 57, 4, 0 }, -E2BIG },
		{ { BD_MAP_HASH, 33, 25, 4, 0 }, -E2BIG },
		{ { BD_MAP_HASH, ~0u, 8, 4, 0 }, -E2BIG },
		{ { BD_MAP_HASH, 4, ~0u, 4, 0 }, -E2BIG },
		{ { BD_MAP_HASH, 4, 8, ELEMS_MAX + 1, 0 }, -ENOMEM },
		{ { BD_MAP_ARRAY, 4, 8, ~0u, 0 }, -ENOMEM },
		{ { BD_MAP_HASH, 56, 8, 4, 0 }, 0 },
		{ { BD_MAP_HASH, 8, 56, 4, 0 }, 0 },
		{ { BD_MAP_ARRAY, 4, 56, ELEMS_MAX, 0 }, 0 },
	};
	struct host *h = *state;

	for (unsigned int i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint32_t tid = 12345;

		assert_int_equal(bd_map_alloc(h->b, &t[i].a, &tid), t[i].err);
		if (t[i].err) {
			assert_int_equal(tid, 12345);
			continue;
		}
		assert_memory_equal(bd_map_attr(h->b, tid), &t[i].a, sizeof(t[i].a));
		free_map(h->b, tid, t[i].a.type == BD_MAP_ARRAY ? t[i].a.max_entries : 0);
		assert_null(bd_map_attr(h->b, tid));
	}
}

static void test_limits(void **state)
{
	struct bd_map_attr a = array4;
	struct host *h = *state;
	uint32_t tid[BD_MAPS_MAX], i, j, t;

	for (i = 0; i < BD_MAPS_MAX; i++) {
		tid[i] = alloc(h->b, i % 2 ? &array4 : &hash4);
		for (j = 0; j < i; j++)
			assert_int_not_equal(tid[i], tid[j]);
	}
	assert_int_equal(bd_map_alloc(h->b, &array4, &t), -ENOMEM);
	free_map(h->b, tid[5], 4);
	assert_int_equal(alloc(h->b, &array4), tid[5]);
	for (i = 0; i < BD_MAPS_MAX; i++)
		free_map(h->b, tid[i], i % 2 ? 4 : 0);

	/* The limit of elements is shared by all maps, and freed elements can be used again. */
	a.max_entries = ELEMS_MAX - 10;
	tid[0] = alloc(h->b, &a);
	a.max_entries = 11;
	assert_int_equal(bd_map_alloc(h->b, &a, &t), -ENOMEM);
	a.max_entries = 10;
	tid[1] = alloc(h->b, &a);
	free_map(h->b, tid[0], ELEMS_MAX - 10);
	free_map(h->b, tid[1], 10);
	a.max_entries = ELEMS_MAX;
	free_map(h->b, alloc(h->b, &a), ELEMS_MAX);
}

static void test_unknown(void **state)
{
	static const uint32_t bad[] = { 0, 2, BD_MAPS_MAX, BD_MAPS_MAX + 1, 0x80000000, ~0u };
	struct host *h = *state;
	uint32_t tid = alloc(h->b, &hash4), key = 0, count;
	uint64_t addr, value = 0;

	assert_int_equal(tid, 1);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(bd_map_lookup(h->b, bad[i], &key, &addr), -EBADFD);
		assert_int_equal(bd_map_update(h->b, bad[i], &key, &value, 0), -EBADFD);
		assert_int_equal(bd_map_delete(h->b, bad[i], &key), -EBADFD);
		assert_int_equal(bd_map_next(h->b, bad[i], NULL, &key, &addr), -EBADFD);
		assert_int_equal(bd_map_free(h->b, bad[i], &count), -EBADFD);
		assert_null(bd_map_attr(h->b, bad[i]));
	}
}

static void test_array(void **state)
{
	struct host *h = *state;
	uint32_t tid = alloc(h->b, &array4), key = 1;

	assert_int_equal(get(h->b, tid, 0), 0);
	assert_int_equal(put(h->b, tid, 3, 33, BD_MAP_ANY), 0);
	assert_int_equal(put(h->b, tid, 0, 30, BD_MAP_EXIST), 0);
	assert_int_equal(put(h->b, tid, 1, 31, BD_MAP_NOEXIST), -EEXIST);
	assert_int_equal(put(h->b, tid, 1, 31, 3), -EINVAL);
	assert_int_equal(put(h->b, tid, 4, 34, BD_MAP_ANY), -E2BIG);
	assert_int_equal(put(h->b, tid, ~0u, 34, BD_MAP_ANY), -E2BIG);
	assert_int_equal(get(h->b, tid, 0), 30);
	assert_int_equal(get(h->b, tid, 1), 0);
	assert_int_equal(get(h->b, tid, 3), 33);
	assert_int_equal(missing(h->b, tid, 4), -ENOENT);
	assert_int_equal(bd_map_delete(h->b, tid, &key), -EINVAL);
	/* A new map does not have the values of a freed one. */
	free_map(h->b, tid, 4);
	tid = alloc(h->b, &array4);
	assert_int_equal(get(h->b, tid, 3), 0);
}

static void test_hash(void **state)
{
	struct host *h = *state;
	uint32_t tid = alloc(h->b, &hash4), key;

	assert_int_equal(missing(h->b, tid, 7), -ENOENT);
	assert_int_equal(put(h->b, tid, 7, 70, BD_MAP_EXIST), -ENOENT);
	assert_int_equal(put(h->b, tid, 7, 70, BD_MAP_NOEXIST), 0);
	assert_int_equal(put(h->b, tid, 7, 71, BD_MAP_NOEXIST), -EEXIST);
	assert_int_equal(get(h->b, tid, 7), 70);
	assert_int_equal(put(h->b, tid, 7, 72, BD_MAP_EXIST), 0);
	assert_int_equal(get(h->b, tid, 7), 72);
	assert_int_equal(put(h->b, tid, 7, 72, 4), -EINVAL);
	for (key = 100; key < 103; key++)
		assert_int_equal(put(h->b, tid, key, key, BD_MAP_ANY), 0);
	assert_int_equal(put(h->b, tid, 200, 1, BD_MAP_ANY), -E2BIG);
	assert_int_equal(put(h->b, tid, 102, 5, BD_MAP_ANY), 0);
	key = 101;
	assert_int_equal(bd_map_delete(h->b, tid, &key), 0);
	assert_int_equal(bd_map_delete(h->b, tid, &key), -ENOENT);
	assert_int_equal(missing(h->b, tid, 101), -ENOENT);
	assert_int_equal(put(h->b, tid, 200, 1, BD_MAP_ANY), 0);
	assert_int_equal(get(h->b, tid, 200), 1);
	assert_int_equal(get(h->b, tid, 102), 5);
	free_map(h->b, tid, 4);
}

/* Programs access a value at the address that lookup returns. */
static void test_value_in_place(void **state)
{
	struct host *h = *state;
	uint32_t tid = alloc(h->b, &hash4), key = 9;
	uint64_t addr;

	assert_int_equal(put(h->b, tid, 9, 0x1122334455667788, 0), 0);
	assert_int_equal(bd_map_lookup(h->b, tid, &key, &addr), 0);
	/* The host's window shows the same bytes in the same order. */
	assert_int_equal(mu_read(h, addr, 8), 0x1122334455667788);
	mu_write(h, addr, 42, 8);
	assert_int_equal(get(h->b, tid, 9), 42);
}

static void test_walk(void **state)
{
	struct host *h = *state;
	uint32_t a = alloc(h->b, &array4), t, key, seen = 0, n = 0;
	struct bd_map_attr big = hash4;
	uint64_t addr;
	int err;

	for (err = bd_map_next(h->b, a, NULL, &key, &addr); !err;
	     err = bd_map_next(h->b, a, &key, &key, &addr))
		assert_int_equal(key, n++);
	assert_int_equal(err, -ENOENT);
	assert_int_equal(n, 4);
	key = 77;
	assert_int_equal(bd_map_next(h->b, a, &key, &key, &addr), 0);
	assert_int_equal(key, 0);

	big.max_entries = 1000;
	t = alloc(h->b, &big);
	assert_int_equal(bd_map_next(h->b, t, NULL, &key, &addr), -ENOENT);
	for (key = 0; key < 1000; key++)
		assert_int_equal(put(h->b, t, key * 7919, key, 0), 0);
	for (key = 0; key < 1000; key += 2) {
		uint32_t gone = key * 7919;

		assert_int_equal(bd_map_delete(h->b, t, &gone), 0);
	}
	for (err = bd_map_next(h->b, t, NULL, &key, &addr); !err;
	     err = bd_map_next(h->b, t, &key, &key, &addr)) {
		uint64_t v;

		memcpy(&v, board_mem_ptr(h->b, addr, 8), 8);
		assert_int_equal(v * 7919, key);
		assert_int_equal(v % 2, 1);
		assert_int_equal(get(h->b, t, key), v);
		seen++;
	}
	assert_int_equal(seen, 500);
	key = 12345;		/* an unknown key: the walk starts again */
	assert_int_equal(bd_map_next(h->b, t, &key, &key, &addr), 0);
}

/* Do random operations, and compare the map with a table of its expected content. */
static void test_random(void **state)
{
	enum { KEYS = 64, ROOM = 48, STEPS = 100000 };
	struct bd_map_attr attr = { BD_MAP_HASH, 13, 21, ROOM, 0 };
	struct host *h = *state;
	uint32_t tid = alloc(h->b, &attr), i, have = 0;
	uint8_t value[KEYS][21];
	bool there[KEYS] = { false };

	srand(random_seed(1));
	for (i = 0; i < STEPS; i++) {
		uint8_t key[13] = { 0 }, v[21];
		unsigned int k = rand() % KEYS, flags = rand() % 3;
		uint64_t addr;
		int err = 0;

		key[12] = k;
		memset(v, rand(), sizeof(v));
		switch (rand() % 3) {
		case 0:
			if (there[k] && flags == BD_MAP_NOEXIST)
				err = -EEXIST;
			else if (!there[k] && flags == BD_MAP_EXIST)
				err = -ENOENT;
			else if (!there[k] && have == ROOM)
				err = -E2BIG;
			assert_int_equal(bd_map_update(h->b, tid, key, v, flags), err);
			if (err)
				break;
			have += !there[k];
			there[k] = true;
			memcpy(value[k], v, sizeof(v));
			break;
		case 1:
			assert_int_equal(bd_map_delete(h->b, tid, key), there[k] ? 0 : -ENOENT);
			have -= there[k];
			there[k] = false;
			break;
		default:
			assert_int_equal(bd_map_lookup(h->b, tid, key, &addr),
					 there[k] ? 0 : -ENOENT);
			if (there[k])
				assert_memory_equal(board_mem_ptr(h->b, addr, 21), value[k], 21);
		}
	}
	free_map(h->b, tid, have);
}

/* The values of maps never overlap, in whatever order maps are allocated and freed. */
static void test_placement(void **state)
{
	struct { uint32_t tid, n; } live[40] = { { 0, 0 } };
	struct host *h = *state;

	srand(random_seed(2));
	for (uint32_t i = 0; i < 400; i++) {
		uint32_t s = rand() % 40;
		struct bd_map_attr a = array4;

		if (live[s].tid) {
			for (uint32_t j = 0; j < live[s].n; j += 97)
				assert_int_equal(get(h->b, live[s].tid, j), (uint64_t)s << 32 | j);
			free_map(h->b, live[s].tid, live[s].n);
			live[s].tid = 0;
			continue;
		}
		a.max_entries = 1 + rand() % 5000;
		live[s].n = a.max_entries;
		live[s].tid = alloc(h->b, &a);
		for (uint32_t j = 0; j < live[s].n; j++)
			assert_int_equal(put(h->b, live[s].tid, j, (uint64_t)s << 32 | j, 0), 0);
	}
}

/* The host can overwrite the maps' memory. The card must not crash or loop then. */
static void test_scribbled(void **state)
{
	struct host *h = *state;
	uint32_t tid = alloc(h->b, &hash4), key, n = 0;
	uint64_t addr, off;

	for (key = 0; key < 4; key++)
		assert_int_equal(put(h->b, tid, key, key, 0), 0);
	for (off = 0; off < 4096; off += 8)
		mu_write(h, BD_MAPS_ADDR + off, ~0ull, 8);
	for (key = 0; key < 4; key++) {
		assert_int_equal(missing(h->b, tid, key), -ENOENT);
		assert_int_equal(bd_map_delete(h->b, tid, &key), -ENOENT);
		assert_int_equal(put(h->b, tid, key, 1, 0), -E2BIG);
	}
	for (int err = bd_map_next(h->b, tid, NULL, &key, &addr); !err && n < 100; n++)
		err = bd_map_next(h->b, tid, &key, &key, &addr);
	free_map(h->b, tid, 4);
}

static void test_reset(void **state)
{
	struct host *h = *state;
	uint32_t tid = alloc(h->b, &array4), key = 0;
	uint64_t addr;

	assert_int_equal(put(h->b, tid, 0, 1, 0), 0);
	board_reset(h->b, BOARD_RESET_FLR);
	assert_int_equal(get(h->b, tid, 0), 1);
	board_reset(h->b, BOARD_RESET_POWER);
	assert_int_equal(bd_map_lookup(h->b, tid, &key, &addr), -EBADFD);
	tid = alloc(h->b, &array4);
	assert_int_equal(get(h->b, tid, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_attributes, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_limits, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_unknown, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_array, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_hash, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_value_in_place, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_walk, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_random, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_placement, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_scribbled, setup, host_teardown),
		cmocka_unit_test_setup_teardown(test_reset, setup, host_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
