/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nfpchan_xdp.h - libnfpchan-xdp: XDP programs made fit for a card.
 *
 * The library stands on libbpf. It needs neither a card nor any privilege. When
 * memory runs out it says so and aborts.
 *
 * Link with -lnfpchan-xdp (pkg-config libnfpchan-xdp).
 */
#ifndef NFPCHAN_XDP_LIB_H
#define NFPCHAN_XDP_LIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NFPCHAN_XDP_ALL_SLOTS	UINT32_MAX

/**
 * struct nfpchan_xdp_slot - a program in a prog array
 * @map: name of the prog array
 * @index: its slot there; NFPCHAN_XDP_ALL_SLOTS with @prog NULL: the array is empty
 * @prog: name of the program; NULL: the slot is empty
 */
struct nfpchan_xdp_slot {
	const char	*map;
	uint32_t	index;
	const char	*prog;
};

/* A cycle of tail calls is no error: the program counts them, up to the kernel's 33. */
#define NFPCHAN_XDP_LOOP	(1u << 0)
/* The result is for the host: its size, and what a card cannot do, are no matter. */
#define NFPCHAN_XDP_HOST	(1u << 1)

/**
 * struct nfpchan_xdp_link_opts - what is linked
 * @size: sizeof(struct nfpchan_xdp_link_opts)
 * @flags: NFPCHAN_XDP_LOOP, NFPCHAN_XDP_HOST
 * @objects: paths of ELF objects with BTF
 * @object_count: how many, one at least
 * @slot_count: how many there are in @slots
 * @slots: contents of prog arrays; they come before those of the objects' .values
 * @entry: name of the program that a packet enters first; NULL: the only one in
 *	no slot
 * @words: instructions that the card has room for; 0: 2560, as in the open firmware
 */
struct nfpchan_xdp_link_opts {
	uint32_t			size;
	uint32_t			flags;
	const char *const		*objects;
	uint32_t			object_count;
	uint32_t			slot_count;
	const struct nfpchan_xdp_slot	*slots;
	const char			*entry;
	uint32_t			words;
};

/**
 * struct nfpchan_xdp_image - a linked object
 * @elf: an ELF object with one program, for bpf_object__open_mem() or a file
 * @len: its bytes
 * @insns: BPF instructions of the program with its functions
 * @words: microengine instructions that the driver will make of them; 0: not known
 * @progs: programs that are in it
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
 * @opts: what is linked
 * @image: out: to be given to nfpchan_xdp_image_free()
 * @err: buffer for a text of one or more lines that says what is wrong, or NULL
 * @errlen: its size
 *
 * A tail call becomes a jump, or a chain of comparisons where its index is not
 * known beforehand. It goes on behind the call where the slot is empty or the
 * index is too large. Maps keep their names; prog arrays are gone. Not for several
 * threads at a time: libbpf's handlers of programs are the process's.
 *
 * Return: 0; -ENOENT (no such file, program or map), -EINVAL (slots, options, or an
 * object that cannot be read), -ELOOP (a cycle), -E2BIG (too long for the card, or a
 * jump is), -EOPNOTSUPP (what cannot be linked, or what the card cannot do).
 */
int nfpchan_xdp_link(const struct nfpchan_xdp_link_opts *opts, struct nfpchan_xdp_image *image,
		     char *err, size_t errlen);

/* Free what nfpchan_xdp_link() has made. */
void nfpchan_xdp_image_free(struct nfpchan_xdp_image *image);

#ifdef __cplusplus
}
#endif

#endif /* NFPCHAN_XDP_LIB_H */
