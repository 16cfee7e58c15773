// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* show.c - print what a firmware file offers and what it has, as text and as JSON. */
#include <inttypes.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "json.h"
#include "firmware.h"
#include "show.h"

#define TEXT	400

/* ---- names ---- */

static const char *app_name(uint32_t app)
{
	return app == FW_APP_NIC ? "nic" : app == FW_APP_BPF ? "bpf" :
	       app == FW_APP_FLOWER ? "flower" : "unknown";
}

/* The helpers that the driver knows (bpf/main.c, nfp_bpf_parse_cap_func()) */
static const struct {
	uint32_t id;
	const char *name;
} funcs[] = {
	{ BPF_FUNC_map_lookup_elem, "bpf_map_lookup_elem" },
	{ BPF_FUNC_map_update_elem, "bpf_map_update_elem" },
	{ BPF_FUNC_map_delete_elem, "bpf_map_delete_elem" },
	{ BPF_FUNC_perf_event_output, "bpf_perf_event_output" },
};

#define FUNCS	(sizeof(funcs) / sizeof(*funcs))

static const char *func_name(uint32_t id)
{
	static char number[24];
	unsigned int i;

	for (i = 0; i < FUNCS; i++)
		if (funcs[i].id == id)
			return funcs[i].name;
	snprintf(number, sizeof(number), "helper %u", id);
	return number;
}

static bool offers(const struct fw_caps *c, uint32_t id)
{
	unsigned int i;

	for (i = 0; i < c->funcs; i++)
		if (c->func[i].id == id)
			return true;
	return false;
}

/*
 * The file's name has the board and its ports: nic_AMDA0099-0001_2x25.nffw. Return false if it does
 * not. @media: "" if the name has no ports.
 */
static bool board_of(const char *path, char *board, char *media, size_t len)
{
	const char *base = strrchr(path, '/'), *end, *sep;

	base = base ? base + 1 : path;
	end = strstr(base, ".nffw");
	if (strncmp(base, "nic_", 4) || !end)
		return false;
	base += 4;
	sep = memchr(base, '_', (size_t)(end - base));
	snprintf(board, len, "%.*s", (int)((sep ? sep : end) - base), base);
	snprintf(media, len, "%.*s", sep ? (int)(end - sep - 1) : 0, sep ? sep + 1 : "");
	return true;
}

/* 0xMMMMmmpp and the number of the build, as the vendor writes them */
static const char *version_of(const struct fw_mip *m, char *text, size_t len)
{
	snprintf(text, len, "%u.%u.%u.%u", m->version >> 16, m->version >> 8 & 0xff,
		 m->version & 0xff, m->build);
	return text;
}

static const char *time_of(const struct fw_mip *m, char *text, size_t len)
{
	time_t at = m->time;
	struct tm tm;

	strftime(text, len, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &tm));
	return text;
}

/* ---- text ---- */

static void caps_plain(const struct fw_caps *c)
{
	const char *sep = "";
	unsigned int i;

	printf("BPF ABI      %u\n", c->abi);
	for (i = 0; i < c->funcs; i++)
		printf("helper       %s at 0x%x\n", func_name(c->func[i].id), c->func[i].addr);
	if (c->has_head)
		printf("helper       bpf_xdp_adjust_head: start at bytes %u to %u of the buffer, %u down "
		       "or %u up\n             without a check\n", c->head.off_min, c->head.off_max,
		       c->head.sub, c->head.add);
	if (c->tail)
		printf("helper       bpf_xdp_adjust_tail\n");
	if (c->random)
		printf("helper       bpf_get_prandom_u32\n");
	printf("not offered ");
	for (i = 0; i < FUNCS; i++)
		if (!offers(c, funcs[i].id)) {
			printf("%s %s", sep, funcs[i].name);
			sep = ",";
		}
	printf("%s\n", *sep ? "" : " none of the helpers that the driver knows");
	printf("programs     %s the receive queue of a packet\n", c->queue ? "choose" : "cannot choose");
	if (c->has_maps)
		printf("maps        %s%s, %u, with %u entries in all; keys of %u bytes, values of %u, %u "
		       "together\n", c->maps.types >> BPF_MAP_TYPE_HASH & 1 ? " hash" : "",
		       c->maps.types >> BPF_MAP_TYPE_ARRAY & 1 ? " array" : "", c->maps.maps,
		       c->maps.elems, c->maps.key, c->maps.value, c->maps.elem);
	else
		printf("maps         none\n");
}

static void profile_plain(const struct shown *s)
{
	const struct fw_bpf *b = &s->p.bpf;

	if (!s->known) {
		printf("not known    application, ports and capabilities: %s\n", s->why);
		return;
	}
	printf("application  %s (%u)\nports        %u\n", app_name(s->p.app), s->p.app, s->p.ports);
	if (s->p.app != FW_APP_BPF)
		return;
	caps_plain(&s->caps);
	if (s->p.no_bar)
		printf("length       of programs, their stack and their reach are not in the file\n");
	else
		printf("length       %u instructions for a program, %u bytes of stack, the first %u bytes "
		       "of a packet\n", b->max_len, b->stack * 64u, b->inl_mtu * 64u - 32);
}

/* The next section of a microengine's code from *@i on, or NULL. Sections of .init are no code of
 * their own: they run once.
 */
static const struct fw_section *code_next(const struct fw_image *img, unsigned int *i)
{
	while (*i < img->sections) {
		const struct fw_section *c = &img->section[(*i)++];

		if (c->mem == FW_MEM_CODE && !strncmp(c->name, ".text", 5))
			return c;
	}
	return NULL;
}

/* Whether two microengines are neighbours in one island, with code of the same length and role */
static bool alike(const struct fw_image *img, const struct fw_section *a, const struct fw_section *b)
{
	return a->island == b->island && a->me + 1 == b->me && a->size == b->size &&
	       me_role(img, a->island, a->me) == me_role(img, b->island, b->me);
}

static void me_plain(const struct fw_image *img, const struct fw_section *first,
		     const struct fw_section *last)
{
	const char *role = me_role(img, first->island, first->me);
	char name[48];

	if (first == last)
		snprintf(name, sizeof(name), "i%u.me%u", first->island, first->me);
	else
		snprintf(name, sizeof(name), "i%u.me%u to me%u", first->island, first->me, last->me);
	printf("%-16s%6" PRIu64 "  %s\n", name, first->size / FW_WORD_SIZE, role ? role : "not known");
}

static void mes_plain(const struct fw_image *img)
{
	const struct fw_section *first = NULL, *last = NULL, *c;
	unsigned int i = 0;

	printf("\nmicroengine      words  what it does\n");
	while ((c = code_next(img, &i))) {
		if (last && !alike(img, last, c)) {
			me_plain(img, first, last);
			last = NULL;
		}
		first = last ? first : c;
		last = c;
	}
	if (last)
		me_plain(img, first, last);
}

/* Where a symbol is: its memory, island and microengine */
static const char *place(const struct fw_sym *s, char *text, size_t len)
{
	const char *mem = s->type == FW_SYM_ABS ? "number" : s->target == FW_TGT_LOCAL ? "local" :
			  s->target == FW_TGT_MU ? "mu" :
			  s->target == FW_TGT_EMU_CACHE ? "emu cache" : "other";

	if (s->type == FW_SYM_ABS)
		snprintf(text, len, "%s", mem);
	else if (s->me != 0xff)
		snprintf(text, len, "%s i%u.me%u", mem, s->island, s->me);
	else
		snprintf(text, len, "%s i%u", mem, s->island);
	return text;
}

static void syms_plain(const struct fw_image *img)
{
	char where[64];
	unsigned int i;

	printf("\n%-18s%12s%10s  %s\n", "memory", "address", "bytes", "symbol");
	for (i = 0; i < img->syms; i++)
		printf("%-18s%#12" PRIx64 "%10" PRIu64 "  %s\n", place(&img->sym[i], where, sizeof(where)),
		       img->sym[i].addr, img->sym[i].size, img->sym[i].name);
}

void show_plain(const struct shown *s, bool symbols)
{
	const struct fw_mip *m = &s->img->mip;
	char board[TEXT], media[TEXT], text[TEXT];

	printf("file         %s\n", s->path);
	printf("firmware     %s\n", m->name);
	if (s->dev)
		printf("running      %s (ethtool -i %s)\n", s->running, s->dev);
	printf("version      %s, of %s\n", version_of(m, text, sizeof(text)),
	       time_of(m, board, sizeof(board)));
	printf("toolchain    %s\n", m->toolchain);
	if (board_of(s->path, board, media, sizeof(board)))
		printf("board        %s%s%s (by the file's name)\n", board, *media ? ", ports " : "", media);
	else
		printf("board        not known: the file's name does not say it\n");
	profile_plain(s);
	printf("symbols      %u run-time symbols%s\n", s->img->syms,
	       symbols ? "" : " (--symbols prints them)");
	mes_plain(s->img);
	if (symbols)
		syms_plain(s->img);
}

/* ---- JSON ---- */

static void helpers_json(struct json *j, const struct fw_caps *c)
{
	unsigned int i;

	json_array(j, "helpers");
	for (i = 0; i < c->funcs; i++) {
		json_object(j, NULL);
		json_u64(j, "id", c->func[i].id);
		json_str(j, "name", func_name(c->func[i].id));
		json_u64(j, "address", c->func[i].addr);
		json_close(j);
	}
	json_close(j);
}

static void caps_json(struct json *j, const struct shown *s)
{
	const struct fw_caps *c = &s->caps;

	json_object(j, "capabilities");
	json_u64(j, "abi", c->abi);
	helpers_json(j, c);
	if (c->has_head) {
		json_object(j, "adjust_head");
		json_u64(j, "flags", c->head.flags);
		json_u64(j, "off_min", c->head.off_min);
		json_u64(j, "off_max", c->head.off_max);
		json_u64(j, "guaranteed_sub", c->head.sub);
		json_u64(j, "guaranteed_add", c->head.add);
		json_close(j);
	}
	if (c->has_maps) {
		json_object(j, "maps");
		json_u64(j, "types", c->maps.types);
		json_u64(j, "maps", c->maps.maps);
		json_u64(j, "entries", c->maps.elems);
		json_u64(j, "key_size", c->maps.key);
		json_u64(j, "value_size", c->maps.value);
		json_u64(j, "elem_size", c->maps.elem);
		json_close(j);
	}
	json_bool(j, "adjust_tail", c->tail);
	json_bool(j, "random", c->random);
	json_bool(j, "queue_select", c->queue);
	json_bool(j, "cmsg_multi_ent", c->multi);
	json_hex(j, "bytes", s->p.caps, s->p.caps_len);
	json_close(j);
}

static void profile_json(struct json *j, const struct shown *s)
{
	if (!s->known) {
		json_str(j, "not_known", s->why);
		return;
	}
	json_str(j, "application", app_name(s->p.app));
	json_u64(j, "application_id", s->p.app);
	json_u64(j, "ports", s->p.ports);
	json_u64(j, "tlv", s->p.vnic.tlv);
	if (s->p.caps_len)
		caps_json(j, s);
	if (s->p.app != FW_APP_BPF || s->p.no_bar)
		return;
	json_object(j, "programs");
	json_u64(j, "instructions", s->p.bpf.max_len);
	json_u64(j, "stack", s->p.bpf.stack * 64u);
	json_u64(j, "packet_bytes", s->p.bpf.inl_mtu * 64u - 32);
	json_close(j);
}

static void mes_json(struct json *j, const struct fw_image *img)
{
	const struct fw_section *c;
	unsigned int i = 0;

	json_array(j, "microengines");
	while ((c = code_next(img, &i))) {
		const char *role = me_role(img, c->island, c->me);

		json_object(j, NULL);
		json_u64(j, "island", c->island);
		json_u64(j, "me", c->me);
		json_u64(j, "words", c->size / FW_WORD_SIZE);
		if (role)
			json_str(j, "role", role);
		else
			json_null(j, "role");
		json_close(j);
	}
	json_close(j);
}

static void syms_json(struct json *j, const struct fw_image *img)
{
	unsigned int i;

	json_array(j, "symbols");
	for (i = 0; i < img->syms; i++) {
		const struct fw_sym *s = &img->sym[i];

		json_object(j, NULL);
		json_str(j, "name", s->name);
		json_u64(j, "type", s->type);
		json_u64(j, "target", s->target);
		json_u64(j, "island", s->island);
		if (s->me != 0xff)
			json_u64(j, "me", s->me);
		json_u64(j, "address", s->addr);
		json_u64(j, "size", s->size);
		json_close(j);
	}
	json_close(j);
}

void show_json(const struct shown *s)
{
	const struct fw_mip *m = &s->img->mip;
	char board[TEXT], media[TEXT], text[TEXT];
	struct json j;

	json_init(&j, stdout);
	json_object(&j, NULL);
	json_str(&j, "file", s->path);
	json_str(&j, "firmware", m->name);
	if (s->dev) {
		json_str(&j, "device", s->dev);
		json_str(&j, "running", s->running);
		json_bool(&j, "running_same", firmware_runs(s->running, m->name));
	}
	json_str(&j, "version", version_of(m, text, sizeof(text)));
	json_u64(&j, "build", m->build);
	json_str(&j, "built", time_of(m, text, sizeof(text)));
	json_str(&j, "toolchain", m->toolchain);
	if (board_of(s->path, board, media, sizeof(board))) {
		json_str(&j, "board", board);
		json_str(&j, "media", media);
	}
	profile_json(&j, s);
	mes_json(&j, s->img);
	syms_json(&j, s->img);
	json_close(&j);
	json_end(&j);
}
