// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * xdp_tails.c - check that linked programs do what the programs do with tail calls.
 *
 * usage: xdp_tails DEV PEER LIST
 *
 * Each line of LIST, which rig/link-tails writes, describes a linked object:
 *
 *	NAME OBJECT[,OBJECT...] LINKED WORDS ENTRY [SLOT...]
 *
 * BPF_PROG_TEST_RUN runs program ENTRY of the objects, with prog arrays that are filled from
 * .values and each SLOT, and then the program of LINKED. The latter is also attached
 * to DEV, and PEER sends the same packets to it. Verdicts, packets, maps and events of
 * all three runs must be equal, and the program must have WORDS words on the card. WORDS
 * "-" means that the object does not run on the card.
 */
#include "xdp_run.h"

#define PACKETS		24
#define LEN_MIN		60	/* the MAC pads shorter packets */
#define GROUPS		10	/* TAP lines, if there are more objects than LINES */
#define LINES		50
#define SLOTS		64	/* most SLOT arguments of an object */

struct tails {
	const char *name, *objects, *linked, *entry;
	const char *slot[SLOTS];
	unsigned int slots;
	unsigned int words;	/* 0: the object does not run on the card */
};

static struct outcome want, native, got;
static struct frames packets;
static struct card_run card_run;

static struct {
	unsigned int objects, card, refused, passed, sent, dropped, aborted, events;
	unsigned long progs, insns, linked, words;
} sum;

/* ---- packets ---- */

static void make_packets(void)
{
	uint64_t x = random_seed(0x9e3779b97f4a7c15);
	unsigned int i;

	for (i = 0; i < PACKETS; i++)
		frames_random(&packets, LEN_MIN + chance(&x) % (i % 6 == 5 ? 1400 : 8), 0x88b5, &x);
}

/* ---- the object with tail calls ---- */

/* Join the objects, like bpftool gen object. */
static struct bpf_object *open_objects(const struct tails *c)
{
	char path[64], names[1024], *name, *save;
	struct bpf_linker *linker;
	struct bpf_object *obj;

	if (!strchr(c->objects, ','))
		return bpf_object__open_file(c->objects, NULL);
	snprintf(path, sizeof(path), "/tmp/%s.o", c->name);
	snprintf(names, sizeof(names), "%s", c->objects);
	linker = bpf_linker__new(path, NULL);
	if (!linker)
		die(path);
	for (name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save))
		if (bpf_linker__add_file(linker, name, NULL))
			die(name);
	if (bpf_linker__finalize(linker))
		die(path);
	bpf_linker__free(linker);
	obj = bpf_object__open_file(path, NULL);
	unlink(path);
	return obj;
}

static void slot_clear(struct bpf_object *obj, const char *map, uint32_t index)
{
	if (bpf_map_delete_elem(bpf_object__find_map_fd_by_name(obj, map), &index) &&
	    errno != ENOENT)
		die(map);
}

/* Fill a slot: MAP:INDEX=PROG, MAP:INDEX=none or MAP:none, as for nfpchan xdp link */
static void slot_set(struct bpf_object *obj, const char *slot)
{
	char map[64], name[64];
	struct bpf_map *m;
	uint32_t index;
	int prog;

	if (sscanf(slot, "%63[^:]:%u=%63s", map, &index, name) != 3) {
		m = bpf_object__find_map_by_name(obj, map);
		for (index = 0; index < bpf_map__max_entries(m); index++)
			slot_clear(obj, map, index);
		return;
	}
	if (!strcmp(name, "none")) {
		slot_clear(obj, map, index);
		return;
	}
	prog = bpf_program__fd(bpf_object__find_program_by_name(obj, name));
	if (bpf_map_update_elem(bpf_object__find_map_fd_by_name(obj, map), &index, &prog, BPF_ANY))
		die(slot);
}

static struct bpf_object *original(const struct tails *c)
{
	struct bpf_object *obj = open_objects(c);
	struct bpf_program *prog;
	unsigned int i;

	if (!obj)
		die(c->objects);
	if (bpf_object__load(obj)) {
		bpf_object__close(obj);
		return NULL;
	}
	bpf_object__for_each_program(prog, obj) {
		sum.progs++;
		sum.insns += bpf_program__insn_cnt(prog);
	}
	for (i = 0; i < c->slots; i++)
		slot_set(obj, c->slot[i]);
	return obj;
}

/* ---- maps ---- */

static bool is_compared(const struct bpf_map *map)
{
	return bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY &&
	       bpf_map__type(map) != BPF_MAP_TYPE_PROG_ARRAY;
}

/* Check that no entry was written to a map that is not in the linked object. */
static bool untouched(const struct bpf_map *map)
{
	const char *name = bpf_map__name(map);
	uint8_t value[64] = { 0 }, none[64] = { 0 };
	uint32_t i, fd = bpf_map__fd(map);

	if (bpf_map__type(map) != BPF_MAP_TYPE_ARRAY)
		return !map_entries(fd) || differs("map %s is written to, and not linked", name);
	for (i = 0; i < bpf_map__max_entries(map); i++)
		if (bpf_map_lookup_elem(fd, &i, value) || memcmp(value, none, sizeof(none)))
			return differs("map %s is written to, and not linked", name);
	return true;
}

/* Compare the maps of both objects. The linked one has only the maps that it uses. */
static bool linked_maps_same(struct bpf_object *orig, struct bpf_object *linked)
{
	struct bpf_map *map, *other;

	bpf_object__for_each_map(map, orig) {
		other = bpf_object__find_map_by_name(linked, bpf_map__name(map));
		if (is_compared(map) && !(other ? map_same(map, other) : untouched(map)))
			return false;
	}
	bpf_object__for_each_map(map, linked)
		if (!bpf_object__find_map_by_name(orig, bpf_map__name(map)) ||
		    bpf_map__type(map) == BPF_MAP_TYPE_PROG_ARRAY)
			return differs("map %s is in the linked object", bpf_map__name(map));
	return true;
}

/* ---- three runs ---- */

static void run_original(const struct tails *c, struct bpf_object *obj)
{
	struct perf_buffer *pb = events_open(obj, &want);
	const struct bpf_program *prog = bpf_object__find_program_by_name(obj, c->entry);

	if (!prog)
		die(c->entry);
	run_host_fd(bpf_program__fd(prog), pb, &packets, &want);
	perf_buffer__free(pb);
}

static bool linked_native(const struct tails *c, struct bpf_object *orig)
{
	struct bpf_object *obj = xdp_load(c->linked, "xdp", 0);
	bool good;

	if (!obj)
		return differs("the linked program does not load for the host");
	sum.linked += bpf_program__insn_cnt(bpf_object__next_program(obj, NULL));
	run_host(obj, &packets, &native);
	good = outcome_same(&want, &native) && linked_maps_same(orig, obj);
	bpf_object__close(obj);
	return good;
}

static unsigned int words(int fd)
{
	struct bpf_prog_info info = { 0 };
	uint32_t len = sizeof(info);

	if (bpf_prog_get_info_by_fd(fd, &info, &len))
		die("program");
	return info.jited_prog_len / 8;
}

static bool linked_card(const struct tails *c, struct bpf_object *orig)
{
	struct bpf_object *obj = xdp_load(c->linked, "xdp", if_nametoindex(card_run.dev));
	unsigned int real;
	bool good;

	if (!obj)
		return differs("the linked program does not load for the card");
	real = words(xdp_fd(obj));
	sum.card++;
	sum.words += real;
	card_run_start(&card_run, obj);
	frames_send(card_run.peer_fd, &packets);
	card_collect(&card_run);
	card_run_stop(&card_run);
	good = outcome_same(&want, &got) && linked_maps_same(orig, obj);
	if (good && real != c->words)
		good = differs("%u microengine instructions, %u were told", real, c->words);
	bpf_object__close(obj);
	return good;
}

static void count(void)
{
	sum.objects++;
	sum.passed += want.host.n;
	sum.sent += want.peer.n;
	sum.dropped += want.dropped;
	sum.aborted += want.aborted;
	sum.events += want.event.n;
}

/*
 * @random: the programs were generated. For some of these, clang emits code that the verifier refuses,
 * because it copies the lower half of a pointer to the packet's end.
 */
static bool compare(const struct tails *c, bool random)
{
	struct bpf_object *orig;
	const char *where = "original";
	bool good;

	outcome_clear(&want);
	outcome_clear(&native);
	outcome_clear(&got);
	why[0] = 0;
	orig = original(c);
	if (!orig && random) {
		sum.refused++;
		printf("# %s: the kernel refuses the original\n", c->name);
		return true;
	}
	good = orig || differs("does not load for the host");
	if (good) {
		run_original(c, orig);
		count();
		where = "linked, on the host";
		good = linked_native(c, orig);
	}
	if (good && c->words) {
		where = "linked, in the card";
		good = linked_card(c, orig);
	}
	if (!good)
		printf("# %s: %s: %s\n", c->name, where, why);
	bpf_object__close(orig);
	return good;
}

/* ---- the list ---- */

static bool next_tails(FILE *list, struct tails *c)
{
	static char line[4096];
	char *save, *words;

	if (!fgets(line, sizeof(line), list))
		return false;
	c->slots = 0;
	c->name = strtok_r(line, " \n", &save);
	c->objects = strtok_r(NULL, " \n", &save);
	c->linked = strtok_r(NULL, " \n", &save);
	words = strtok_r(NULL, " \n", &save);
	c->entry = strtok_r(NULL, " \n", &save);
	errno = EINVAL;
	if (!c->entry)
		die("a line of the list");
	c->words = strtoul(words, NULL, 10);
	while ((c->slot[c->slots] = strtok_r(NULL, " \n", &save)))
		if (++c->slots == SLOTS)
			die("more slots in a line of the list than there is room for");
	return true;
}

static unsigned int lines(FILE *list)
{
	struct tails c;
	unsigned int n = 0;

	while (next_tails(list, &c))
		n++;
	rewind(list);
	return n;
}

int main(int argc, char **argv)
{
	FILE *list = argc == 4 ? fopen(argv[3], "r") : NULL;
	unsigned int total, group, i, first;
	struct tails c;
	bool good = true;

	if (!list) {
		fprintf(stderr, "usage: xdp_tails DEV PEER LIST\n");
		return 2;
	}
	make_packets();
	card_run = (struct card_run){
		.dev = argv[1], .total = packets.n, .want = &want, .got = &got,
		.dev_fd = packet_socket(if_nametoindex(argv[1])),
		.peer_fd = packet_socket(if_nametoindex(argv[2])),
	};
	total = lines(list);
	group = total > LINES ? (total + GROUPS - 1) / GROUPS : 1;
	for (i = 0, first = 1; next_tails(list, &c); first = i + 1) {
		for (good = compare(&c, group > 1), i++;
		     i - first + 1 < group && next_tails(list, &c); i++)
			good &= compare(&c, true);
		if (group == 1)
			ok(good, "%s", c.name);
		else
			ok(good, "objects %u to %u", first, i);
	}
	if (group > 1)
		ok(sum.refused * 10 <= total, "nine of ten originals load: %u do not", sum.refused);
	printf("# %u objects compared, %u of them in the card, %u packets each: %u passed, %u sent back, %u dropped, %u aborted, %u events\n",
	       sum.objects, sum.card, packets.n, sum.passed, sum.sent, sum.dropped, sum.aborted,
	       sum.events);
	printf("# %lu programs of %lu instructions; linked %lu; %lu microengine instructions\n",
	       sum.progs, sum.insns, sum.linked, sum.words);
	return tap_done();
}
