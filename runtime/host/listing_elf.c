/* SPDX-License-Identifier: MIT */
/*
 * The ELF file of a listing.  Sections: none, the code of each function, the
 * symbols, their names, and the sections' names.
 */
#include "runtime/host/listing.h"

#include <elf.h>
#include <stdlib.h>

#include "runtime/base/throw.h"
#include "runtime/code/code.h"

/* Of the names of sections. */
static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
enum { NAME_TEXT = 1, NAME_SYMTAB = 7, NAME_STRTAB = 15, NAME_SHSTRTAB = 23 };

enum { HEAD = sizeof(Elf64_Ehdr), MAX_FUNCS = SHN_LORESERVE - 8 };

struct parts {
    FILE *code, *syms, *names;
    char *code_at, *syms_at, *names_at;
    size_t ncode, nsyms, nnames;
};

static bool
open_parts(struct parts *p)
{
    p->code = open_memstream(&p->code_at, &p->ncode);
    p->syms = open_memstream(&p->syms_at, &p->nsyms);
    p->names = open_memstream(&p->names_at, &p->nnames);
    return p->code != NULL && p->syms != NULL && p->names != NULL;
}

static bool
close_part(FILE *f)
{
    return f != NULL && fclose(f) == 0;
}

/* Where in its function an instruction stands, and whose it is. */
static void
put_name(struct parts *p, const struct jit_made *m, const struct code_ins *pc)
{
    const struct code_func *f = code_find_func(m->im, pc);

    rt_assert(f != NULL);
    fprintf(p->names, "%s:%u", f->name, (uint32_t)(pc - f->code));
    putc('\0', p->names);
}

static void
put_symbols(struct parts *p, const struct jit_made *m, uint32_t section)
{
    for (uint32_t i = 0; i < m->nspots; i++) {
        size_t at;
        const struct code_ins *pc = jit_made_spot(m, i, &at);
        Elf64_Sym s = {.st_name = (Elf64_Word)ftell(p->names),
            .st_info = ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE),
            .st_shndx = (Elf64_Half)section,
            .st_value = m->addr + at};

        fwrite(&s, sizeof s, 1, p->syms);
        put_name(p, m, pc);
    }
}

static void
put_sections(const struct parts *p, const struct jit_made *made, size_t n,
    FILE *out)
{
    Elf64_Shdr none = {0};
    Elf64_Off at = HEAD;

    fwrite(&none, sizeof none, 1, out);
    for (size_t i = 0; i < n; i++) {
        Elf64_Shdr text = {.sh_name = NAME_TEXT, .sh_type = SHT_PROGBITS,
            .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = made[i].addr,
            .sh_offset = at, .sh_size = made[i].n, .sh_addralign = 1};
        fwrite(&text, sizeof text, 1, out);
        at += made[i].n;
    }
    rt_assert(at == HEAD + p->ncode);
    Elf64_Shdr symtab = {.sh_name = NAME_SYMTAB, .sh_type = SHT_SYMTAB,
        .sh_offset = at, .sh_size = p->nsyms, .sh_link = (Elf64_Word)n + 2,
        .sh_info = (Elf64_Word)(p->nsyms / sizeof(Elf64_Sym)),
        .sh_addralign = 1, .sh_entsize = sizeof(Elf64_Sym)};
    Elf64_Shdr strtab = {.sh_name = NAME_STRTAB, .sh_type = SHT_STRTAB,
        .sh_offset = at + p->nsyms, .sh_size = p->nnames, .sh_addralign = 1};
    Elf64_Shdr shstrtab = {.sh_name = NAME_SHSTRTAB, .sh_type = SHT_STRTAB,
        .sh_offset = at + p->nsyms + p->nnames,
        .sh_size = sizeof section_names, .sh_addralign = 1};
    fwrite(&symtab, sizeof symtab, 1, out);
    fwrite(&strtab, sizeof strtab, 1, out);
    fwrite(&shstrtab, sizeof shstrtab, 1, out);
}

static bool
put_file(const struct parts *p, const struct jit_made *made, size_t n,
    FILE *out)
{
    Elf64_Ehdr h = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
            ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
        .e_shoff = HEAD + p->ncode + p->nsyms + p->nnames +
            sizeof section_names,
        .e_ehsize = HEAD, .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = (Elf64_Half)(n + 4), .e_shstrndx = (Elf64_Half)(n + 3)};

    fwrite(&h, sizeof h, 1, out);
    fwrite(p->code_at, 1, p->ncode, out);
    fwrite(p->syms_at, 1, p->nsyms, out);
    fwrite(p->names_at, 1, p->nnames, out);
    fwrite(section_names, sizeof section_names, 1, out);
    put_sections(p, made, n, out);
    return !ferror(out);
}

bool
listing_elf_write(const struct jit_made *made, size_t n, FILE *out)
{
    struct parts p = {0};
    Elf64_Sym none = {0};
    bool ok = n <= MAX_FUNCS && open_parts(&p);

    if (ok) {
        fwrite(&none, sizeof none, 1, p.syms);
        putc('\0', p.names);
    }
    for (size_t i = 0; ok && i < n; i++) {
        fwrite(made[i].code, 1, made[i].n, p.code);
        put_symbols(&p, &made[i], (uint32_t)i + 1);
    }
    ok &= close_part(p.code);
    ok &= close_part(p.syms);
    ok &= close_part(p.names);
    ok = ok && put_file(&p, made, n, out);
    free(p.code_at);
    free(p.syms_at);
    free(p.names_at);
    return ok;
}
