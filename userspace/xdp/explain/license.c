// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* license.c - read the license of an object file. libbpf passes it to the kernel only. */
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "explain.h"

#define LICENSE_MAX	127	/* libbpf uses no more bytes */

static char *license_in(Elf *elf)
{
	Elf_Scn *scn = NULL;
	const char *name;
	Elf_Data *data;
	GElf_Shdr sh;
	size_t names;
	char *text;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
		if (!name || strcmp(name, "license"))
			continue;
		data = elf_getdata(scn, NULL);
		if (!data || !data->d_buf)
			return NULL;
		text = xzalloc(LICENSE_MAX + 1);
		memcpy(text, data->d_buf,
		       data->d_size < LICENSE_MAX ? data->d_size : LICENSE_MAX);
		return text;
	}
	return NULL;
}

char *object_license(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	Elf *elf;

	if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf)
		text = license_in(elf);
	elf_end(elf);
	close(fd);
	return text ? text : xzalloc(1);
}

/* Whether the kernel takes the license as compatible with the GPL. */
bool license_gpl(const char *license)
{
	static const char *const gpl[] = { "GPL", "GPL v2", "GPL and additional rights",
					   "Dual BSD/GPL", "Dual MIT/GPL", "Dual MPL/GPL" };
	unsigned int i;

	for (i = 0; i < sizeof(gpl) / sizeof(*gpl); i++)
		if (!strcmp(license, gpl[i]))
			return true;
	return false;
}
