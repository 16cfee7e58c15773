// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * main.c - check that a card and XDP of a host process windows as the program's C says.
 *
 * usage: ncl_diff DEV PEER VETH VETH-PEER LIST
 *
 * Each line of LIST is "NAME OBJECT MODEL": an object that nclc made for a place, and a shared
 * object of the same program in plain C (model.h). The same frames go to the model, to the object
 * by BPF_PROG_TEST_RUN, to the object at VETH in native and in generic XDP, and to the object in
 * the card of DEV. The frames for VETH and for the card are sent at VETH-PEER and PEER. Verdicts,
 * frames, counters and the memory of all variables must be equal. SEED chooses the frames. A
 * program with a name wrong_* must differ from its model.
 */
#include <dlfcn.h>
#include "xdp_run.h"
#include "diff.h"

#define FRAMES_MAX	4096

static struct outcome want, got;
static struct frames packets;
static struct card_run card;
static struct ncl_address nodes[NODES_MAX];
static unsigned long frames_total, windows, undefined;
static uint64_t seed;

/* frames that the model passes or sends, and its counts */
static struct frames result;
static int verdict[FRAMES_MAX];

/* ---- the model ---- */

/*
 * Run the model. Remove the frames whose result C does not define from the frames for all
 * programs.
 */
static void run_model(struct model_device *dev, struct outcome *o)
{
	unsigned int i, n = 0;

	if (packets.n > FRAMES_MAX)
		die("FRAMES_MAX");
	result.n = 0;
	for (i = 0; i < packets.n; i++) {
		struct frame f = packets.f[i];
		int what = model_frame(dev, f.data, f.len);

		if (what == MODEL_UNDEFINED) {
			undefined++;
			continue;
		}
		verdict[n] = what;
		frames_add(&result, f.data, f.len);
		packets.f[n++] = packets.f[i];
		if (what == XDP_PASS)
			frames_add(&o->host, f.data, f.len);
		else if (what == XDP_TX)
			frames_sent(&o->peer, f.data, f.len);
		else
			o->dropped++;
	}
	packets.n = n;
}

static void *model_open(const char *path, struct model_device *dev)
{
	void *so = dlopen(path, RTLD_LAZY | RTLD_LOCAL);

	memset(dev, 0, sizeof(*dev));
	dev->prog = so ? dlsym(so, "model_program") : NULL;
	if (!dev->prog) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return so;
}

/* ---- a program ---- */

static bool memory_differs(void)
{
	return differs("%s", memory_why);
}

static bool frame_differs(unsigned int i, const char *what, unsigned int is, unsigned int model)
{
	const struct frame *f = &packets.f[i];
	char head[160] = "";
	uint32_t j;

	for (j = 42; j < f->len && j < 90; j++)
		sprintf(head + 2 * (j - 42), "%02x", f->data[j]);
	return differs("host: frame %u of %u bytes: %s %u, in the model %u; NCP %s", i, f->len, what,
		       is, model, head);
}

/* Run one packet at a time, so that the message can name the first packet with a difference. */
static bool host_frames(int fd)
{
	uint8_t out[4096];
	unsigned int i, j;

	for (i = 0; i < packets.n; i++) {
		LIBBPF_OPTS(bpf_test_run_opts, t,
			    .data_in = packets.f[i].data, .data_size_in = packets.f[i].len,
			    .data_out = out, .data_size_out = sizeof(out), .repeat = 1);

		if (bpf_prog_test_run_opts(fd, &t))
			die("BPF_PROG_TEST_RUN");
		if ((int)t.retval != verdict[i])
			return frame_differs(i, "verdict", t.retval, verdict[i]);
		if (verdict[i] == XDP_DROP)
			continue;
		if (t.data_size_out != result.f[i].len)
			return frame_differs(i, "length", t.data_size_out, result.f[i].len);
		for (j = 0; j < t.data_size_out; j++)
			if (out[j] != result.f[i].data[j]) {
				char what[20];

				snprintf(what, sizeof(what), "byte %u", j);
				return frame_differs(i, what, out[j], result.f[i].data[j]);
			}
	}
	return true;
}

static bool on_host(const struct model_device *dev, const struct model_device *before,
		    const char *path)
{
	struct bpf_object *obj = xdp_load(path, "xdp", 0);
	bool good;

	if (!obj)
		return differs("does not load for the host");
	good = (memory_fill(before, obj) || memory_differs()) && host_frames(xdp_fd(obj)) &&
	       (memory_same(dev, obj, "host") || memory_differs());
	bpf_object__close(obj);
	return good;
}

static void card_run_frames(struct bpf_object *obj)
{
	card.want = &want;
	card.total = packets.n;
	card_run_start(&card, obj);
	send_frames(card.peer_fd, &packets);
	card_collect(&card);
	card_run_stop(&card);
}

/* Send the frames by a wire. @flags: 0 for the card, otherwise the XDP flags for the veth pair. */
static bool by_wire(const struct model_device *dev, const struct model_device *before,
		    const char *path, const char *who, uint32_t flags)
{
	struct bpf_object *obj = xdp_load(path, "xdp", flags ? 0 : if_nametoindex(card.dev));
	char said[sizeof(why)];
	bool good;

	outcome_clear(&got);
	if (!obj)
		return differs("%s: does not load", who);
	good = memory_fill(before, obj) || memory_differs();
	if (good) {
		if (flags)
			veth_run(obj, flags, &packets, &want, &got);
		else
			card_run_frames(obj);
		good = outcome_same(&want, &got);
		if (!good) {
			memcpy(said, why, sizeof(said));
			differs("%s: %.480s", who, said);
		}
		good = good && (memory_same(dev, obj, who) || memory_differs());
	}
	bpf_object__close(obj);
	return good;
}

/*
 * Open the model twice, because each comparison begins with the memory as it was before the first
 * frame. dlopen() gives a file one memory in a process, so open a copy of the file as well.
 */
static bool compare(const char *object, const char *model, const char *copy)
{
	struct model_device dev, before;
	void *so = model_open(model, &dev), *so_before = model_open(copy, &before);
	uint64_t x = seed, y = x;
	bool good;

	why[0] = 0;
	make_addresses(&dev, nodes);
	make_addresses(&before, nodes);
	memory_fill_model(dev.prog, &x);
	memory_fill_model(before.prog, &y);
	make_frames(&dev, &packets, &x);
	outcome_clear(&want);
	run_model(&dev, &want);
	good = on_host(&dev, &before, object) &&
	       by_wire(&dev, &before, object, "native", XDP_FLAGS_DRV_MODE) &&
	       by_wire(&dev, &before, object, "generic", XDP_FLAGS_SKB_MODE) &&
	       by_wire(&dev, &before, object, "card", 0);
	printf("# %u passed, %u sent, %lu dropped; %lu windows\n", want.host.n, want.peer.n,
	       want.dropped, dev.counts[NCL_WINDOWS]);
	frames_total += packets.n;
	windows += dev.counts[NCL_WINDOWS];
	dlclose(so_before);
	dlclose(so);
	return good;
}

/* Copy the file: dlopen() recognises a file by its inode. */
static void copy_file(const char *from, const char *to)
{
	char cmd[1024];

	snprintf(cmd, sizeof(cmd), "cp '%s' '%s'", from, to);
	if (system(cmd))
		die(cmd);
}

int main(int argc, char **argv)
{
	char name[128], object[256], model[256], copy[64];
	FILE *list = argc == 6 ? fopen(argv[5], "r") : NULL;

	if (!list) {
		fprintf(stderr, "usage: ncl_diff DEV PEER VETH VETH-PEER LIST\n");
		return 2;
	}
	libbpf_set_print(NULL);
	seed = random_seed(0x9e3779b97f4a7c15);
	snprintf(copy, sizeof(copy), "/tmp/ncl_model.%d.so", getpid());
	card = (struct card_run){
		.dev = argv[1], .got = &got,
		.dev_fd = packet_socket(if_nametoindex(argv[1])),
		.peer_fd = packet_socket(if_nametoindex(argv[2])),
	};
	veth_open(argv[3], argv[4]);
	while (fscanf(list, "%127s %255s %255s", name, object, model) == 3) {
		bool same;

		copy_file(model, copy);
		same = compare(object, model, copy);
		ok(same != !strncmp(name, "wrong_", 6), "%s", name);
		if (!same)
			printf("# %s\n", why);
		unlink(copy);
	}
	printf("# %lu frames, %lu windows; %lu more left out, of indices outside of arrays\n",
	       frames_total, windows, undefined);
	return tap_done();
}
