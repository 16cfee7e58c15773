// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_glue.c - ME processes that drive a device (DEVICE of the mailbox). The test plays the device
 * (fw_device.h).
 */
#include "fw_device.h"

/* Jobs of several sizes fill the descriptor ring 25 times. Each ends once, and in order. */
static void jobs(void **state)
{
	static const uint32_t sizes[] = { SKIP, SKIP + 1, 64, 500, OUT_SIZE + SKIP };
	struct dev d;

	dev_open(&d, *state, 0);
	assert_int_equal(attach(&d), OK);
	for (unsigned int i = 0; i < 100; i++) {
		put(&d, sizes[i % 5], i);
		assert_int_equal(hear(&d), 1);
		if (i % SLOTS != SLOTS - 1)
			continue;
		for (unsigned int k = 0; k < SLOTS; k++)
			work(&d, GOOD);
		notify(&d);
		fw_look(&d.out);
		for (unsigned int k = i - SLOTS + 1; k <= i; k++)
			assert_int_equal(take(&d, sizes[k % 5], k, GOOD), 0);
	}
	assert_int_equal(fw_stat(d.h, CHAN_ID_DEV0_IN).msgs, 100);
	assert_int_equal(fw_stat(d.h, CHAN_ID_DEV0_OUT).msgs, 100);
	assert_int_equal(fw_stat(d.h, CHAN_ID_DEV0_OUT).dropped, 0);
	assert_int_equal(fw_irqs(&d.in), 0);
}

/*
 * For a job the card writes the input and the descriptor, reads the descriptor, rings the doorbell.
 */
static void order(void **state)
{
	struct host *h;
	struct dev d;
	unsigned int n = 0;
	uint64_t want[4];

	dev_open(&d, *state, 0);
	assert_int_equal(attach(&d), OK);
	h = d.h->host;
	want[0] = d.bus + 64 * SLOTS;
	want[1] = d.bus;
	want[2] = d.bus + 56;
	want[3] = d.bell_bus;
	put(&d, 100, 1);
	for (unsigned int i = 0; i < h->logged && n < 4; i++) {
		if (h->log[i].addr != want[n])
			continue;
		assert_int_equal(h->log[i].what, n == 2 ? HOST_READ : HOST_WRITE);
		n++;
	}
	assert_int_equal(n, 4);
	assert_int_equal(desc_of(&d, 0)->src, DEV_ADDR + 64 * SLOTS);
	assert_int_equal(desc_of(&d, 0)->dst, DEV_ADDR + 64 * SLOTS + SLOTS * IN_SIZE);
	assert_int_equal(desc_of(&d, 0)->len, 100 - SKIP);
}

/* Other layouts of the descriptor: the card writes all of it except the completion. */
static void layouts(void **state)
{
	struct dev d;

	dev_open(&d, *state, 0);
	for (unsigned int done = 0; done <= 48; done += 4) {
		struct nfp_chan_fw_device r = request(&d);
		uint8_t *desc = d.mem;
		uint64_t addr;
		uint32_t word;

		/*
		 * Fields that do not fit after the completion are at the beginning of the
		 * descriptor.
		 */
		r.done_at = (uint8_t)done;
		r.src_at = (uint8_t)(done + 16 <= 56 ? done + 16 : 0);
		r.dst_at = (uint8_t)(done + 24 <= 56 ? done + 24 : 8);
		r.len_at = (uint8_t)(done + 32 <= 60 ? done + 32 : 16);
		r.room_at = (uint8_t)(done + 36 <= 60 ? done + 36 : 20);
		for (unsigned int i = 0; i < 64; i++)
			r.desc[i] = (uint8_t)(i + 100);
		memset(d.mem, 0xee, 64);
		assert_int_equal(ask(&d, &r), OK);
		put(&d, 100, 1);
		memcpy(&addr, desc + r.src_at, 8);
		assert_int_equal(addr, DEV_ADDR + 64 * SLOTS);
		memcpy(&addr, desc + r.dst_at, 8);
		assert_int_equal(addr, DEV_ADDR + 64 * SLOTS + SLOTS * IN_SIZE);
		memcpy(&word, desc + r.len_at, 4);
		assert_int_equal(word, 100 - SKIP);
		memcpy(&word, desc + r.room_at, 4);
		assert_int_equal(word, OUT_SIZE);
		for (unsigned int i = 0; i < 64; i++) {
			bool field = i - r.src_at < 8 || i - r.dst_at < 8 || i - r.len_at < 4 ||
				     i - r.room_at < 4;

			if (!field)
				assert_int_equal(desc[i], i - done < 16 ? 0xee : i + 100);
		}
		assert_int_equal(detach(&d), OK);
		/* Clear the log of PCIe accesses, which has limited room. */
		d.h->host->logged = 0;
	}
}

/* Messages wait in the sender's pipe while no device is attached or all descriptors are in use. */
static void waits(void **state)
{
	struct dev d;

	dev_open(&d, *state, 0);
	for (unsigned int i = 0; i < 10; i++)
		put(&d, 50, i);
	assert_int_equal(hear(&d), 0);
	assert_int_equal(d.in.note->seq, 0);
	assert_int_equal(attach(&d), OK);
	host_run(d.h->host);
	assert_int_equal(hear(&d), SLOTS);
	for (unsigned int i = 0; i < 10; i++) {
		work(&d, GOOD);
		notify(&d);
		hear(&d);
		assert_int_equal(d.asked, i + 1 + SLOTS < 10 ? i + 1 + SLOTS : 10);
		fw_look(&d.out);
		assert_int_equal(take(&d, 50, i, GOOD), 0);
	}
}

/* After a job that failed, the process sends the completion and then the input message. */
static void fails(void **state)
{
	struct dev d;

	dev_open(&d, *state, 0);
	assert_int_equal(attach(&d), OK);
	for (unsigned int i = 0; i < 20; i++) {
		put(&d, 200 + i, i);
		work(&d, i % 3 ? GOOD : 7);
		notify(&d);
		fw_look(&d.out);
		assert_int_equal(take(&d, 200 + i, i, i % 3 ? GOOD : 7), 0);
	}
	/* A message shorter than SKIP bytes gives an empty input. */
	put(&d, 3, 77);
	assert_int_equal(desc_of(&d, 20)->len, 0);
	work(&d, 9);
	notify(&d);
	fw_look(&d.out);
	assert_int_equal(take(&d, 3, 77, 9), 0);
}

/*
 * The device claims more output than has room: the process sends no output, but the input message.
 */
static void lies_of_output(void **state)
{
	uint8_t buf[4096], want[100];
	struct done done;
	struct dev d;

	dev_open(&d, *state, 0);
	assert_int_equal(attach(&d), OK);
	put(&d, 100, 3);
	work(&d, GOOD);
	desc_of(&d, 0)->done.len = OUT_SIZE + 1;
	notify(&d);
	fw_look(&d.out);
	assert_int_equal(fw_recv(&d.out, buf, sizeof(buf)), DONE_LEN + 100);
	memcpy(&done, buf, sizeof(done));
	assert_int_equal(done.len, 0);
	message(want, 100, 3);
	assert_memory_equal(buf + DONE_LEN, want, 100);
}

/* Completions with a wrong job number, and notifications without a completion, send no message. */
static void lies_of_jobs(void **state)
{
	struct dev d;

	dev_open(&d, *state, 0);
	assert_int_equal(attach(&d), OK);
	notify(&d);
	put(&d, 100, 3);
	work(&d, GOOD);
	desc_of(&d, 0)->done.seq = 2;
	for (unsigned int i = 0; i < 50; i++)
		notify(&d);
	fw_look(&d.out);
	assert_int_equal(take(&d, 100, 3, GOOD), -1);
	desc_of(&d, 0)->done.seq = 1;
	notify(&d);
	fw_look(&d.out);
	assert_int_equal(take(&d, 100, 3, GOOD), 0);
}

static bool sent(void *arg)
{
	return fw_stat_shown(arg, CHAN_ID_DEV0_OUT).msgs == 1;
}

/* A completion that is written after its notification is found later. */
static void late(void **state)
{
	struct dev d;

	dev_open(&d, *state, 0);
	assert_int_equal(attach(&d), OK);
	put(&d, 100, 3);
	notify(&d);
	work(&d, GOOD);
	assert_false(sent(d.h));
	assert_int_equal(host_run_until(d.h->host, sent, d.h, 5000), 0);
	fw_look(&d.out);
	assert_int_equal(take(&d, 100, 3, GOOD), 0);
}

/*
 * Check that the card has not accessed the device's memory or doorbell since the log was cleared.
 */
static void untouched(struct dev *d)
{
	struct host *h = d->h->host;

	for (unsigned int i = 0; i < h->logged; i++) {
		assert_int_not_equal(h->log[i].addr, d->bell_bus);
		assert_false(h->log[i].addr >= d->bus && h->log[i].addr < d->bus + 64 * 1024);
	}
}

/*
 * Detach a device: its jobs under way count as dropped, and the card does not access its memory
 * any more. Messages wait for the next device.
 */
static void goes(void **state)
{
	struct dev d;

	dev_open(&d, *state, 0);
	assert_int_equal(detach(&d), OK);
	assert_int_equal(attach(&d), OK);
	for (unsigned int i = 0; i < SLOTS; i++)
		put(&d, 100, i);
	work(&d, GOOD);
	assert_int_equal(detach(&d), OK);
	assert_int_equal(fw_stat(d.h, CHAN_ID_DEV0_OUT).dropped, SLOTS);
	d.h->host->logged = 0;
	for (unsigned int i = 0; i < 3; i++) {
		notify(&d);
		put(&d, 100, 10 + i);
	}
	untouched(&d);
	assert_int_equal(attach(&d), OK);
	host_run(d.h->host);
	assert_int_equal(hear(&d), 3);
	for (unsigned int i = 0; i < 3; i++) {
		work(&d, GOOD);
		notify(&d);
		fw_look(&d.out);
		assert_int_equal(take(&d, 100, 10 + i, GOOD), 0);
	}
	assert_int_equal(fw_stat(d.h, CHAN_ID_DEV0_OUT).dropped, SLOTS);
}

/*
 * CLOSE and HELLO detach the device as well. A message of the closed pipe does not become a job of
 * the next device.
 */
static void closes(void **state)
{
	struct dev d;

	dev_open(&d, *state, 0);
	for (unsigned int how = 0; how < 2; how++) {
		assert_int_equal(attach(&d), OK);
		put(&d, 100, 1);
		assert_int_equal(how ? fw_hello(d.h) : fw_close(&d.in), OK);
		assert_int_equal(fw_stat(d.h, CHAN_ID_DEV0_OUT).dropped, 2 * how + 1);
		d.h->host->logged = 0;
		notify(&d);
		host_run(d.h->host);
		untouched(&d);
		assert_int_equal(open_in(&d, 0, CHAN_ID_DEV0_IN), OK);
		if (how)
			assert_int_equal(fw_open(&d.out, d.h, 1, CHAN_ID_DEV0_OUT, 19), OK);
		put(&d, 100, 2);
		untouched(&d);
		assert_int_equal(attach(&d), OK);
		host_run(d.h->host);
		assert_int_equal(hear(&d), 1);
		work(&d, GOOD);
		notify(&d);
		fw_look(&d.out);
		assert_int_equal(take(&d, 100, 2, GOOD), 0);
		put(&d, 100, 1);
		assert_int_equal(fw_close(&d.in), OK);
		assert_int_equal(open_in(&d, 0, CHAN_ID_DEV0_IN), OK);
	}
}

/* A device can be detached while the process waits to send to a channel without a receiver. */
static void nobody_takes(void **state)
{
	struct dev d;

	dev_open(&d, *state, 0);
	assert_int_equal(fw_close(&d.out), OK);
	assert_int_equal(attach(&d), OK);
	for (unsigned int i = 0; i < SLOTS; i++) {
		put(&d, 100, i);
		work(&d, GOOD);
		notify(&d);
	}
	assert_int_equal(detach(&d), OK);
	assert_int_equal(fw_stat(d.h, CHAN_ID_DEV0_OUT).dropped, SLOTS - 1);
	assert_int_equal(fw_close(&d.in), OK);
	assert_int_equal(fw_open(&d.out, d.h, 1, CHAN_ID_DEV0_OUT, 19), OK);
	fw_look(&d.out);
	assert_int_equal(take(&d, 100, 0, GOOD), 0);
	assert_int_equal(take(&d, 100, 1, GOOD), -1);
}

/*
 * A link between two devices: the output of the first is the input of the second. The result of a
 * job that failed does not match the link, and a result may be too large for the link. These
 * results go to the host.
 */
static void linked(void **state)
{
	struct nfp_chan_fw_link req = {
		.cmd = NFP_CHAN_FW_CMD_LINK, .match_len = 4, .match_off = 8,
		.match_mask = { 0xff, 0xff, 0xff, 0xff }, .match_value = { GOOD },
	};
	struct nfp_chan_fw_device r;
	uint8_t buf[4096], want[100];
	struct fw_pipe host;
	struct dev a, b;

	dev_open(&a, *state, 0);
	dev_open(&b, *state, 1);
	req.pipe = (uint16_t)a.out.index;
	req.to = (uint16_t)b.in.index;
	assert_int_equal(make(&a.out, &b.in), NFP_CHAN_FW_ESIZE);
	assert_int_equal(fw_open(&host, a.h, 4, CHAN_ID_DEV0_OUT, 19), OK);
	assert_int_equal(fw_request_link(a.h, &req), OK);
	assert_int_equal(attach(&a), OK);
	r = request(&b);
	r.skip = DONE_LEN;
	assert_int_equal(ask(&b, &r), OK);
	for (unsigned int i = 0; i < 30; i++) {
		b.h->host->logged = 0;
		put(&a, 100, i);
		work(&a, GOOD);
		notify(&a);
		assert_int_equal(hear(&b), 1);
		assert_int_equal(desc_of(&b, i)->len, 100 - SKIP);
		work(&b, GOOD);
		notify(&b);
		fw_look(&b.out);
		message(want, 100, i);
		assert_int_equal(fw_recv(&b.out, buf, sizeof(buf)), DONE_LEN + 100 - SKIP);
		for (unsigned int k = SKIP; k < 100; k++)
			assert_int_equal(buf[DONE_LEN + k - SKIP], (uint8_t)(want[k] + 2));
		fw_ring_run(&b.out);
	}
	/* A job whose result is too large for the second device, and a job that failed */
	put(&a, IN_SIZE, 30);
	work(&a, GOOD);
	desc_of(&a, 30)->done.len = OUT_SIZE + 1;
	notify(&a);
	put(&a, 100, 31);
	work(&a, 7);
	notify(&a);
	assert_int_equal(hear(&b), 0);
	fw_look(&host);
	assert_int_equal(fw_recv(&host, buf, sizeof(buf)), DONE_LEN + IN_SIZE);
	assert_int_equal(fw_recv(&host, buf, sizeof(buf)), DONE_LEN + 100);
	assert_int_equal(link_stat(&a.out).msgs, 30);
}

/* DEVICE refuses each of these fields. */
static void refused(void **state)
{
	static const struct {
		unsigned int off, len;
		uint64_t v;
	} bad[] = {
#define BAD(field, value) { offsetof(struct nfp_chan_fw_device, field), \
			    sizeof(((struct nfp_chan_fw_device *)0)->field), value }
		BAD(mem_addr, HOST_BASE + 32), BAD(mem_addr, 1ull << 40),
		BAD(mem_addr, (1ull << 40) - 4096), BAD(doorbell_addr, HOST_BASE + 2),
		BAD(doorbell_addr, 1ull << 40), BAD(mem_size, SLOTS * (64 + IN_SIZE + OUT_SIZE) - 1),
		BAD(in_size, IN_SIZE - 16), BAD(in_size, IN_SIZE + 4), BAD(out_size, 0),
		BAD(out_size, 4), BAD(out_size, 4088), BAD(slots, 0), BAD(slots, 3),
		BAD(slots, 128), BAD(skip, 2049), BAD(src_at, 60), BAD(src_at, 8), BAD(src_at, 2),
		BAD(dst_at, 44), BAD(len_at, 64), BAD(room_at, 16), BAD(room_at, 252),
		BAD(done_at, 52), BAD(done_at, 16), BAD(done_len, 0), BAD(done_len, 14),
		BAD(done_len, 20), BAD(status_at, 16), BAD(seq_at, 13), BAD(outlen_at, 255),
		BAD(rsvd[2], 1), BAD(rsvd1, 1),
	};
	struct nfp_chan_fw_device r;
	struct fw_pipe other;
	struct dev d;

	dev_open(&d, *state, 0);
	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		r = request(&d);
		memcpy((uint8_t *)&r + bad[i].off, &bad[i].v, bad[i].len);
		if (ask(&d, &r) != NFP_CHAN_FW_EINVAL)
			fail_msg("offset %u, value %#llx is taken", bad[i].off,
				 (unsigned long long)bad[i].v);
	}
	r = request(&d);
	r.doorbell_addr = 0;
	assert_int_equal(ask(&d, &r), NFP_CHAN_FW_EINVAL);
	assert_int_equal(fw_open(&other, d.h, 5, CHAN_ID_ECHO_IN, 16), OK);
	r = request(&d);
	r.pipe = 5;
	assert_int_equal(ask(&d, &r), NFP_CHAN_FW_ENOENT);
	r.pipe = (uint16_t)d.out.index;
	assert_int_equal(ask(&d, &r), NFP_CHAN_FW_ENOENT);
	r.pipe = 6;
	assert_int_equal(ask(&d, &r), NFP_CHAN_FW_ENOENT);
	r.pipe = NFP_CHAN_FW_PIPE_MAX;
	assert_int_equal(ask(&d, &r), NFP_CHAN_FW_EINVAL);
	assert_int_equal(attach(&d), OK);
	assert_int_equal(attach(&d), NFP_CHAN_FW_EBUSY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(jobs), T(order), T(layouts), T(waits), T(fails), T(lies_of_output), T(lies_of_jobs), T(late),
		T(goes), T(closes), T(nobody_takes), T(linked), T(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
