// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_diff.c - check that an offloaded program does what it does on the host.
 *
 * usage: xdp_diff DEV PEER OBJECT...
 *
 * BPF_PROG_TEST_RUN runs each object's program on a number of packets. Then the program is
 * attached to DEV, and PEER sends the same packets. The packets that arrive at
 * the host (XDP_PASS) and at PEER (XDP_TX), the counts of dropped and
 * aborted packets, the maps, and the events must be equal.
 *
 * Maps named in_* are filled before. A program named known_* must differ: it
 * shows a known difference between the host and the card, or the driver's JIT. Its
 * object has a second program, in section "card", that describes the difference in C: on
 * the host it must do exactly what the first does on the card.
 */
#include "random.h"
#include "xdp_run.h"

#define PACKETS		48
#define LEN_MIN		60	/* the MAC pads shorter packets */
#define LEN_MAX		1514

static struct outcome want, got, model;
static struct frames packets;
static struct card_run card_run;

/* ---- packets ---- */

static void make_packets(void)
{
	static const uint16_t types[] = { ETH_P_IP, ETH_P_IPV6, 0x88b5, 0x1234 };
	uint64_t x = random_seed(0x9e3779b97f4a7c15);
	unsigned int i;
	uint32_t len;

	for (i = 0; i < PACKETS; i++) {
		len = LEN_MIN + chance(&x) % 8;
		if (i % 4 == 1)
			len = LEN_MIN + chance(&x) % 400;
		if (i % 8 == 7)
			len = LEN_MAX - chance(&x) % 600;
		frames_random(&packets, len, types[i % 4], &x);
	}
}

/* ---- a program ---- */

/* Fill the maps named in_* with the same entries on both sides. */
static void fill(struct bpf_object *obj)
{
	uint8_t key[64], value[64];
	struct bpf_map *map;
	uint32_t i, j;

	bpf_object__for_each_map(map, obj) {
		if (strncmp(bpf_map__name(map), "in_", 3))
			continue;
		for (i = 0; i < bpf_map__max_entries(map); i++) {
			memset(key, 0, sizeof(key));
			memcpy(key, &i, sizeof(i));
			for (j = 0; j < sizeof(value); j++)
				value[j] = i * 29 + j * 31 + 5;
			if (bpf_map_update_elem(bpf_map__fd(map), key, value, BPF_ANY))
				die(bpf_map__name(map));
		}
	}
}

static void run_card(struct bpf_object *obj)
{
	fill(obj);
	card_run_start(&card_run, obj);
	frames_send(card_run.peer_fd, &packets);
	card_collect(&card_run);
	card_run_stop(&card_run);
}

static bool same(struct bpf_object *host, const struct outcome *o, struct bpf_object *card)
{
	return outcome_same(o, &got) && maps_same(host, card);
}

/* Load program @section for the host, and run it there. */
static struct bpf_object *on_host(const char *path, const char *section, struct outcome *o)
{
	struct bpf_object *obj = xdp_load(path, section, 0);

	outcome_clear(o);
	if (!obj)
		return NULL;
	if (xdp_fd(obj) < 0) {
		bpf_object__close(obj);
		return NULL;
	}
	fill(obj);
	run_host(obj, &packets, o);
	return obj;
}

/* Check that card and host differ, and in the way that section "card" describes. */
static bool known(const char *path, struct bpf_object *host, struct bpf_object *card)
{
	struct bpf_object *obj = on_host(path, "card", &model);
	bool good;

	if (!obj)
		return differs("no program of section card");
	card_run.want = &model;
	run_card(card);
	good = !same(host, &want, card);
	if (good)
		printf("# known difference: %s\n", why);
	else
		differs("there is no difference any more");
	good = good && same(obj, &model, card);
	bpf_object__close(obj);
	return good;
}

static bool compare(const char *path, bool is_known)
{
	struct bpf_object *host, *card;
	bool good;

	outcome_clear(&got);
	why[0] = 0;
	host = on_host(path, "xdp", &want);
	if (!host)
		return differs("does not load for the host");
	card = xdp_load(path, "xdp", if_nametoindex(card_run.dev));
	if (!card) {
		bpf_object__close(host);
		return differs("does not load for the card");
	}
	if (is_known) {
		good = known(path, host, card);
	} else {
		card_run.want = &want;
		run_card(card);
		good = same(host, &want, card);
	}
	bpf_object__close(card);
	bpf_object__close(host);
	return good;
}

int main(int argc, char **argv)
{
	int i;

	if (argc < 4) {
		fprintf(stderr, "usage: xdp_diff DEV PEER OBJECT...\n");
		return 2;
	}
	make_packets();
	card_run = (struct card_run){
		.dev = argv[1], .total = packets.n, .got = &got,
		.dev_fd = packet_socket(if_nametoindex(argv[1])),
		.peer_fd = packet_socket(if_nametoindex(argv[2])),
	};
	for (i = 3; i < argc; i++) {
		const char *name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
		bool good = ok(compare(argv[i], !strncmp(name, "known_", 6)), "%s", name);

		printf("# %u passed, %u sent back, %lu dropped, %lu aborted, %u events%s%s\n",
		       want.host.n, want.peer.n, want.dropped, want.aborted, want.event.n,
		       good ? "" : ": ", good ? "" : why);
	}
	return tap_done();
}
