/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* nfpchan_xdp.h - link XDP programs for a card. Needs neither a card nor a privilege. */
#ifndef NFPCHAN_XDP_LINK_H
#define NFPCHAN_XDP_LINK_H

#include <stddef.h>
#include <stdint.h>

#define NFPCHAN_XDP_ALL_SLOTS	UINT32_MAX

/**
 * struct nfpchan_xdp_slot - a program in a prog array
 * @map: name of the prog array
 * @index: its slot; NFPCHAN_XDP_ALL_SLOTS with @prog NULL clears all slots
 * @prog: name of the program; NULL: the slot is empty
 */
struct nfpchan_xdp_slot {
	const char	*map;
	uint32_t	index;
	const char	*prog;
};

/* Accept a cycle of tail calls. The program then counts them, up to the kernel's limit of 33. */
#define NFPCHAN_XDP_LOOP	(1u << 0)
/* The result is for the host: do not check its size, and whether a card supports it. */
#define NFPCHAN_XDP_HOST	(1u << 1)

/**
 * struct nfpchan_xdp_link_opts - the programs to link
 * @flags: NFPCHAN_XDP_LOOP, NFPCHAN_XDP_HOST
 * @objects: paths of ELF objects with BTF
 * @object_count: number of @objects, at least one
 * @slot_count: number of @slots
 * @slots: contents of prog arrays, which override .values in the objects
 * @entry: name of the program at which a packet enters; NULL for the only one that is
 *	in no slot
 * @words: microengine instructions for which the card has room; 0: as many as the firmware has
 * @firmware: the card's firmware, whose helpers and limits the result may use: "public" is
 *	bpf-2.0.6.124, which the vendor has published; "full" offers all that the driver supports,
 *	and exists only as an emulation; a path, with a slash or a dot, is that of a firmware file
 *	(.nffw). NULL: "public"
 */
struct nfpchan_xdp_link_opts {
	uint32_t			flags;
	const char *const		*objects;
	uint32_t			object_count;
	uint32_t			slot_count;
	const struct nfpchan_xdp_slot	*slots;
	const char			*entry;
	uint32_t			words;
	const char			*firmware;
};

/**
 * struct nfpchan_xdp_image - a linked object
 * @elf: an ELF object with one program, for bpf_object__open_mem() or a file
 * @len: its size in bytes
 * @insns: BPF instructions of the program and its functions
 * @words: microengine instructions that the driver's JIT emits for it; 0 when not known
 * @progs: number of programs that were linked into it
 */
struct nfpchan_xdp_image {
	void		*elf;
	size_t		len;
	uint32_t	insns;
	uint32_t	words;
	uint32_t	progs;
};

/**
 * nfpchan_xdp_link() - make one program of several that call bpf_tail_call()
 * @opts: the programs to link
 * @image: out: the result; free it with nfpchan_xdp_image_free()
 * @err: buffer for an error message of one or more lines
 * @errlen: size of @err
 *
 * A tail call becomes a jump, or a chain of comparisons if its index is not known at
 * link time. If the slot is empty, or the index too large, the program continues after the
 * call. Maps keep their names, and prog arrays are removed. Only one thread may call this
 * function at a time: it registers handlers with libbpf, which are global to the process. When memory
 * runs out, the function prints a message and aborts.
 *
 * Return: 0; -ENOENT (no such file, program, map or firmware), -EINVAL (bad slots, or an
 * object or firmware file that cannot be read), -ELOOP (a cycle), -E2BIG (the result, or a jump in
 * it, is too long), -EOPNOTSUPP (something cannot be linked, or the card or its firmware does not
 * support it).
 */
int nfpchan_xdp_link(const struct nfpchan_xdp_link_opts *opts, struct nfpchan_xdp_image *image,
		     char *err, size_t errlen);

/* Free the result of nfpchan_xdp_link(). */
void nfpchan_xdp_image_free(struct nfpchan_xdp_image *image);

#endif /* NFPCHAN_XDP_LINK_H */
