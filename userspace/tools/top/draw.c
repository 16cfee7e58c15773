// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * draw.c - draw counters as a table, for a window of any size.
 *
 * A table's columns stand in the order of their importance. A narrow window has only the first
 * ones. The names get the room that is left.
 */
#include <inttypes.h>
#include <string.h>
#include "top.h"

#define LINE	512	/* more than the columns of any window are used for */
#define NAME	32	/* longest name of a channel, with a space */
#define ADDRESS	48	/* longest address with a port, with a space */
#define CELL	64

#define NO_ORDER (-1)

/* What a column shows. Of flows, MSGS are packets. */
enum what {
	NAME_OF, DIR, DEPTH, PIPES, DESTINATION, PROTOCOL, PORT,
	MSG_RATE, BYTE_RATE, DROP_RATE, STALL_RATE, IRQ_RATE,
	MSGS, BYTES, DROPS, STALLS, IRQS,
};

/**
 * struct column - a column of a table
 * @title: its title
 * @width: characters, with the space that separates it; 0: the width of names
 * @left: at the left of these characters
 * @sorted: the enum top_sort by which the lines are sorted by it, or NO_ORDER
 * @what: what it shows
 */
struct column {
	const char *title;
	int width;
	bool left;
	int sorted;
	enum what what;
};

/* ---- numbers ---- */

/* A rate, in at most 6 characters */
static const char *rate(const struct top *t, uint64_t count, char cell[CELL])
{
	static const char units[] = "kMGTPE";
	double per_second = t->ns ? (double)count * 1e9 / (double)t->ns : 0;
	int unit = -1;

	if (!t->ns)
		return "-";
	for (; per_second >= 9999.5 || (unit >= 0 && per_second >= 999.5); unit++)
		per_second /= 1000;
	if (unit < 0)
		snprintf(cell, CELL, "%.*f", count && per_second < 9.95, per_second);
	else
		snprintf(cell, CELL, "%.*f%c", per_second < 9.995 ? 2 : per_second < 99.95, per_second,
			 units[unit]);
	return cell;
}

static const char *number(uint64_t value, char cell[CELL])
{
	snprintf(cell, CELL, "%" PRIu64, value);
	return cell;
}

/* ---- columns ---- */

static const char *chan_cell(const struct top *t, size_t i, enum what what, char cell[CELL])
{
	const struct top_chan *c = &t->chan[i];
	const struct nfp_chan_query *q = &c->row.q;

	switch (what) {
	case NAME_OF:
		return q->name;
	case DIR:
		return dir_name(q->dir);
	case DEPTH:
		return number(q->depth, cell);
	case PIPES:
		return number(q->pipes, cell);
	case MSG_RATE:
		return rate(t, c->msgs, cell);
	case BYTE_RATE:
		return rate(t, c->bytes, cell);
	case DROP_RATE:
		return rate(t, c->drops, cell);
	case STALL_RATE:
		return rate(t, c->stalls, cell);
	case IRQ_RATE:
		return rate(t, c->irqs, cell);
	case MSGS:
		return number(q->msgs, cell);
	case BYTES:
		return number(q->bytes, cell);
	case DROPS:
		return number(q->dropped, cell);
	case STALLS:
		return number(q->stalled, cell);
	case IRQS:
		return number(q->irqs, cell);
	default:
		return "";
	}
}

static const struct column chan_columns[] = {
	{ "CHANNEL", 0, true, TOP_BY_NAME, NAME_OF },
	{ "MSG/S", 8, false, TOP_BY_MSGS, MSG_RATE },
	{ "BYTE/S", 8, false, TOP_BY_BYTES, BYTE_RATE },
	{ "DROP/S", 8, false, TOP_BY_DROPS, DROP_RATE },
	{ "STALL/S", 9, false, TOP_BY_STALLS, STALL_RATE },
	{ "IRQ/S", 8, false, TOP_BY_IRQS, IRQ_RATE },
	{ "DIR", 8, false, NO_ORDER, DIR },
	{ "DEPTH", 6, false, NO_ORDER, DEPTH },
	{ "PIPES", 6, false, NO_ORDER, PIPES },
	{ "MESSAGES", 16, false, NO_ORDER, MSGS },
	{ "BYTES", 18, false, NO_ORDER, BYTES },
	{ "DROPPED", 14, false, NO_ORDER, DROPS },
	{ "STALLED", 14, false, NO_ORDER, STALLS },
	{ "IRQS", 14, false, NO_ORDER, IRQS },
};

static const char *flow_cell(const struct top *t, size_t i, enum what what, char cell[CELL])
{
	const struct flow *f = &t->flow[i];

	switch (what) {
	case NAME_OF:
		return flow_src(f, cell);
	case DESTINATION:
		return flow_dst(f, cell);
	case PROTOCOL:
		return flow_proto(f, cell);
	case MSG_RATE:
		return rate(t, f->packets, cell);
	case BYTE_RATE:
		return rate(t, f->bytes, cell);
	case PORT:
		return number(f->port, cell);
	case MSGS:
		return number(f->packets, cell);
	case BYTES:
		return number(f->bytes, cell);
	default:
		return "";
	}
}

static const struct column flow_columns[] = {
	{ "SOURCE", 0, true, TOP_BY_NAME, NAME_OF },
	{ "DESTINATION", 0, true, NO_ORDER, DESTINATION },
	{ "PROTO", 7, true, NO_ORDER, PROTOCOL },
	{ "PKT/S", 8, false, TOP_BY_MSGS, MSG_RATE },
	{ "BYTE/S", 8, false, TOP_BY_BYTES, BYTE_RATE },
	{ "PORT", 5, false, NO_ORDER, PORT },
	{ "PACKETS", 14, false, NO_ORDER, MSGS },
	{ "BYTES", 16, false, NO_ORDER, BYTES },
};

/* ---- lines ---- */

/**
 * struct page - lines that are being drawn
 * @out: where to
 * @screen: the window
 * @lines: lines drawn
 */
struct page {
	FILE *out;
	const struct top_screen *screen;
	unsigned int lines;
};

static bool room(const struct page *p)
{
	return !p->screen->rows || p->lines < p->screen->rows;
}

/* Draw a line, cut to the window. @code: the escape code of its look, or NULL. */
static void line(struct page *p, const char *code, const char *text)
{
	const char *c;

	if (!room(p))
		return;
	/* The last line has no newline: the window would scroll. */
	if (p->lines++)
		fputc('\n', p->out);
	if (p->screen->escapes)
		fprintf(p->out, "\033[K%s", code ? code : "");
	/* The firmware gives the names, which must not have escape codes. */
	for (c = text; *c && c - text < (int)p->screen->cols; c++)
		fputc(*c < ' ' || *c > '~' ? '?' : *c, p->out);
	if (p->screen->escapes && code)
		fputs("\033[0m", p->out);
}

/* Append a cell to a line. A longer text is cut, and ends with "~". */
static void cell_add(char text[LINE], const struct column *c, int width, const char *cell)
{
	size_t at = strlen(text);

	if (width < 2 || at + (size_t)width >= LINE)
		return;
	if (c->left)
		snprintf(text + at, LINE - at, "%-*.*s ", width - 1, width - 1, cell);
	else
		snprintf(text + at, LINE - at, " %*.*s", width - 1, width - 1, cell);
	if (strlen(cell) > (size_t)width - 1)
		text[at + (size_t)(c->left ? width - 2 : width - 1)] = '~';
}

static void trim(char *text)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
}

/**
 * struct table - a table that fits the window
 * @column: its columns
 * @columns: number of columns that are drawn
 * @names: columns of names
 * @name_width: their width
 * @cell: the text of a cell in line @i
 */
struct table {
	const struct column *column;
	unsigned int columns;
	unsigned int names;
	int name_width;
	const char *(*cell)(const struct top *t, size_t i, enum what what, char cell[CELL]);
};

/* Choose the columns of a table. @longest: width of the longest names. */
static void fit(struct table *t, int cols, int longest)
{
	int least = t->names == 1 ? 18 : 22, taken = 0;
	unsigned int i;

	for (i = t->names; i < t->columns; i++) {
		if (taken + t->column[i].width + least * (int)t->names > cols)
			break;
		taken += t->column[i].width;
	}
	t->columns = i;
	t->name_width = (cols - taken) / (int)t->names;
	if (t->name_width > longest)
		t->name_width = longest;
}

static void titles(struct page *p, const struct table *t, enum top_sort sort)
{
	char text[LINE] = "", title[CELL];
	unsigned int i;

	for (i = 0; i < t->columns; i++) {
		const struct column *c = &t->column[i];

		snprintf(title, sizeof(title), "%s%s", c->sorted == (int)sort ? "*" : "", c->title);
		cell_add(text, c, c->width ? c->width : t->name_width, title);
	}
	trim(text);
	if (p->screen->escapes)
		snprintf(text + strlen(text), LINE - strlen(text), "%*s",
			 (int)p->screen->cols - (int)strlen(text), "");
	line(p, "\033[7m", text);
}

static void row(struct page *p, const struct table *t, const struct top *top, size_t i,
		const char *code)
{
	char text[LINE] = "", cell[CELL];
	unsigned int k;

	for (k = 0; k < t->columns; k++) {
		const struct column *c = &t->column[k];

		cell_add(text, c, c->width ? c->width : t->name_width, t->cell(top, i, c->what, cell));
	}
	trim(text);
	line(p, p->screen->colours ? code : NULL, text);
}

/* Red: messages were dropped. Yellow: senders had to wait. Dim: nothing has happened. */
static const char *chan_code(const struct top_chan *c)
{
	if (c->drops)
		return "\033[31m";
	if (c->stalls)
		return "\033[33m";
	return c->msgs ? NULL : "\033[2m";
}

static void head(struct page *p, const struct top *t)
{
	char text[LINE], a[CELL], b[CELL], d[CELL];
	const struct totals *m = &t->meter;
	int n;

	if (t->flows_view)
		n = snprintf(text, sizeof(text), "nfpchan top: %zu flows, packets/s: %s seen, %s dropped, "
			     "%s not IP", t->flows + t->more, rate(t, m->seen, a),
			     rate(t, m->dropped, b), rate(t, m->not_ip, d));
	else
		n = snprintf(text, sizeof(text), "nfpchan top: %zu channels, %u of %u pipes open",
			     t->chans, t->info.pipe_used, t->info.pipe_count);
	snprintf(text + n, LINE - (size_t)n, "; card %s, %s %s", t->card, t->info.fw_name,
		 t->info.fw_version);
	line(p, NULL, text);
}

static void keys(struct page *p, const struct top *t, size_t hidden)
{
	char text[LINE];
	int n = snprintf(text, sizeof(text), "q quit  %s  by n name, m %s, b bytes%s",
			 t->flows_view ? "c channels" : "f flows", t->flows_view ? "packets" : "msgs",
			 t->flows_view ? "" : ", d drops, s stalls, i irqs");

	if (hidden)
		snprintf(text + n, LINE - (size_t)n, "  %zu more", hidden);
	line(p, NULL, text);
}

void top_draw(FILE *out, const struct top *t, const struct top_screen *screen)
{
	static const struct table chans = {
		.column = chan_columns, .columns = sizeof(chan_columns) / sizeof(*chan_columns),
		.names = 1, .cell = chan_cell,
	};
	static const struct table flows = {
		.column = flow_columns, .columns = sizeof(flow_columns) / sizeof(*flow_columns),
		.names = 2, .cell = flow_cell,
	};
	struct table table = t->flows_view ? flows : chans;
	size_t n = t->flows_view ? t->flows : t->chans, i;
	struct page p = { .out = out, .screen = screen };
	/* Lines that are not of the table: two at its top, and the keys */
	size_t most = !screen->rows ? n : screen->rows > 3 ? screen->rows - 3 : 0;

	fit(&table, (int)screen->cols, t->flows_view ? ADDRESS : NAME);
	if (screen->escapes)
		fputs("\033[H", out);
	head(&p, t);
	titles(&p, &table, t->sort);
	if (t->flows_view && *t->why)
		line(&p, NULL, t->why);
	for (i = 0; i < n && i < most; i++)
		row(&p, &table, t, i, t->flows_view ? NULL : chan_code(&t->chan[i]));
	while (p.lines + 1 < screen->rows)
		line(&p, NULL, "");
	if (screen->rows)
		keys(&p, t, n - i);
	if (!screen->rows)
		fputc('\n', out);
}
