/* SPDX-License-Identifier: MIT */

/*
 * Puts every form of instruction that the encoder knows with many operands,
 * and says what each should be in the assembler's words: a line of bytes in
 * hexadecimal, a tab, text.  check_encoder.py compares.
 */

#include <stdarg.h>
#include <stdio.h>

#include "runtime/jit/asm_x64.h"

static uint8_t code[64];
static struct x64_buf b = {code};

static const char *const r64[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp",
    "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};
static const char *const r32[] = {"eax", "ecx", "edx", "ebx", "esp", "ebp",
    "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d",
    "r15d"};
static const char *const r16[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si",
    "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"};
static const char *const r8[] = {"al", "cl", "dl", "bl", "spl", "bpl", "sil",
    "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"};

/* Those whose numbers the encoding treats in some way of its own, and one of
 * each half. */
static const int some[] = {X_RAX, X_RBX, X_RSP, X_RBP, X_RSI, X_R8, X_R12,
    X_R13, X_R15};
enum { SOME = sizeof some / sizeof *some };
static const int32_t disps[] = {0, 8, -8, 127, 128, -128, -129, 1 << 20};
enum { DISPS = sizeof disps / sizeof *disps };

static void __attribute__((format(printf, 1, 2)))
expect(const char *fmt, ...)
{
    va_list ap;

    for (const uint8_t *p = code; p < b.p; p++)
        printf("%02x", *p);
    printf("\t");
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    printf("\n");
    b.p = code;
}

/* What an operand is: a general register of so many bits, or a float one. */
enum kind { G64, G32, G16, G8, F, NONE };

static const char *
name(enum kind k, int r)
{
    static char buf[4][8];
    static unsigned at;

    switch (k) {
    case G64: return r64[r];
    case G32: return r32[r];
    case G16: return r16[r];
    case G8: return r8[r];
    default:
        at = (at + 1) % 4;
        snprintf(buf[at], sizeof buf[at], "xmm%d", r);
        return buf[at];
    }
}

/* Operations with a register and a register or memory.  store: memory comes
 * first.  NONE for rm: memory only; for reg: a digit of the opcode. */
static const struct {
    unsigned op;
    const char *text;
    enum kind reg, rm;
    const char *size; /* of memory */
    bool store;
} ops[] = {
    {X_LOAD, "mov", G64, G64, "qword", false},
    {X_LOAD32, "mov", G32, G32, "dword", false},
    {X_STORE, "mov", G64, NONE, "qword", true},
    {X_STORE32, "mov", G32, NONE, "dword", true},
    {X_STORE16, "mov", G16, NONE, "word", true},
    {X_STORE8, "mov", G8, NONE, "byte", true},
    {X_LOAD8U, "movzx", G32, G8, "byte", false},
    {X_LOAD8S, "movsx", G64, G8, "byte", false},
    {X_LOAD16U, "movzx", G32, G16, "word", false},
    {X_LOAD16S, "movsx", G64, G16, "word", false},
    {X_LOAD32S, "movsxd", G64, G32, "dword", false},
    {X_LEA, "lea", G64, NONE, "", false},
    {X_ADD, "add", G64, G64, "qword", false},
    {X_OR, "or", G64, G64, "qword", false},
    {X_SBB, "sbb", G64, G64, "qword", false},
    {X_AND, "and", G64, G64, "qword", false},
    {X_SUB, "sub", G64, G64, "qword", false},
    {X_XOR, "xor", G64, G64, "qword", false},
    {X_XOR32, "xor", G32, G32, "dword", false},
    {X_CMP, "cmp", G64, G64, "qword", false},
    {X_CMP_TO, "cmp", G64, NONE, "qword", true},
    {X_TEST, "test", G64, G64, "qword", true},
    {X_TEST32, "test", G32, G32, "dword", true},
    {X_XCHG, "xchg", G64, NONE, "qword", true},
    {X_XCHG32, "xchg", G32, NONE, "dword", true},
    {X_LOCK_XADD, "lock xadd", G64, NONE, "qword", true},
    {X_LOCK_XADD32, "lock xadd", G32, NONE, "dword", true},
    {X_LOCK_CMPXCHG, "lock cmpxchg", G64, NONE, "qword", true},
    {X_LOCK_CMPXCHG32, "lock cmpxchg", G32, NONE, "dword", true},
    {X_IMUL, "imul", G64, G64, "qword", false},
    {X_BSF, "bsf", G64, G64, "qword", false},
    {X_POPCNT, "popcnt", G64, G64, "qword", false},
    {X_TZCNT, "tzcnt", G64, G64, "qword", false},
    {X_LZCNT, "lzcnt", G64, G64, "qword", false},
    {X_CMOV + X_A, "cmova", G64, G64, "qword", false},
    {X_LOADF, "movsd", F, NONE, "qword", false},
    {X_STOREF, "movsd", F, NONE, "qword", true},
    {X_STOREF_2, "movups", F, NONE, "xmmword", true},
    {X_MOVF, "movaps", F, F, "xmmword", false},
    {X_MOVF_FROM, "movq", F, G64, "qword", false},
    {X_MOVF_TO, "movq", F, G64, "qword", true},
    {X_ADDF, "addsd", F, F, "qword", false},
    {X_MULF, "mulsd", F, F, "qword", false},
    {X_SUBF, "subsd", F, F, "qword", false},
    {X_DIVF, "divsd", F, F, "qword", false},
    {X_SQRTF, "sqrtsd", F, F, "qword", false},
    {X_MINF, "minsd", F, F, "qword", false},
    {X_MAXF, "maxsd", F, F, "qword", false},
    {X_MINF32, "minss", F, F, "dword", false},
    {X_MAXF32, "maxss", F, F, "dword", false},
    {X_ADDF32_4, "addps", F, F, "xmmword", false},
    {X_SUBF32_4, "subps", F, F, "xmmword", false},
    {X_ANDF, "andps", F, F, "xmmword", false},
    {X_ORF, "orps", F, F, "xmmword", false},
    {X_UCOMF, "ucomisd", F, F, "qword", false},
    {X_ADDF32, "addss", F, F, "dword", false},
    {X_MULF32, "mulss", F, F, "dword", false},
    {X_SUBF32, "subss", F, F, "dword", false},
    {X_DIVF32, "divss", F, F, "dword", false},
    {X_UCOMF32, "ucomiss", F, F, "dword", false},
    {X_XORF, "xorps", F, F, "xmmword", false},
    {X_I2F, "cvtsi2sd", F, G64, "qword", false},
    {X_I2F32, "cvtsi2ss", F, G64, "qword", false},
    {X_F2I, "cvttsd2si", G64, F, "qword", false},
    {X_F2F32, "cvtsd2ss", F, F, "qword", false},
    {X_F322F, "cvtss2sd", F, F, "dword", false},
};

/* X_MOVF_FROM and X_MOVF_TO have their own bytes for memory, which as would
 * not choose. */
static bool
has_memory(unsigned op)
{
    return op != X_MOVF_FROM && op != X_MOVF_TO;
}

static void
with_registers(unsigned i, int reg, int rm)
{
    x_rr(&b, ops[i].op, reg, rm);
    if (ops[i].store)
        expect("%s %s, %s", ops[i].text, name(ops[i].rm, rm),
            name(ops[i].reg, reg));
    else
        expect("%s %s, %s", ops[i].text, name(ops[i].reg, reg),
            name(ops[i].rm, rm));
}

static void
with_memory(unsigned i, int reg, const char *address)
{
    const char *ptr = *ops[i].size == 0 ? "" : " ptr ";

    if (ops[i].store)
        expect("%s %s%s%s, %s", ops[i].text, ops[i].size, ptr, address,
            name(ops[i].reg, reg));
    else
        expect("%s %s, %s%s%s", ops[i].text, name(ops[i].reg, reg),
            ops[i].size, ptr, address);
}

static void
all_addresses(unsigned i, int reg)
{
    char text[64];

    for (int base = 0; base < SOME; base++)
        for (int d = 0; d < DISPS; d++) {
            x_rm(&b, ops[i].op, reg, some[base], disps[d]);
            snprintf(text, sizeof text, "[%s%+d]", r64[some[base]], disps[d]);
            with_memory(i, reg, text);
            int index = some[(base + d) % SOME];
            if (index == X_RSP)
                continue;
            x_rx(&b, ops[i].op, reg, some[base], index, d & 3, disps[d]);
            snprintf(text, sizeof text, "[%s+%s*%d%+d]", r64[some[base]],
                r64[index], 1 << (d & 3), disps[d]);
            with_memory(i, reg, text);
        }
    x_abs(&b, ops[i].op, reg, 0x41234568);
    with_memory(i, reg, "[0x41234568]");
    x_abs_index(&b, ops[i].op, reg, X_R9, 0x41234568);
    with_memory(i, reg, "[r9*8+0x41234568]");
}

static void
tables(void)
{
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        for (int k = 0; k < SOME; k++) {
            for (int q = 0; q < SOME && ops[i].rm != NONE; q++)
                with_registers(i, some[k], some[q]);
            if (has_memory(ops[i].op))
                all_addresses(i, some[k]);
        }
}

static void
immediates(void)
{
    static const int32_t v[] = {0, 1, -1, 127, 128, -128, -129, 1 << 30};
    static const struct {
        enum x64_alu op;
        const char *text;
    } alu[] = {{X_ALU_ADD, "add"}, {X_ALU_OR, "or"}, {X_ALU_AND, "and"},
        {X_ALU_SUB, "sub"}, {X_ALU_XOR, "xor"}, {X_ALU_CMP, "cmp"}};

    for (int k = 1; k < SOME; k++) /* rax has shorter forms of its own */
        for (unsigned i = 0; i < sizeof alu / sizeof *alu; i++)
            for (unsigned n = 0; n < sizeof v / sizeof *v; n++) {
                x_alu_i(&b, alu[i].op, some[k], v[n]);
                expect("%s %s, %d", alu[i].text, r64[some[k]], v[n]);
                x_alu_mi(&b, alu[i].op, some[k], 16, v[n]);
                expect("%s qword ptr [%s+16], %d", alu[i].text, r64[some[k]],
                    v[n]);
            }
    for (int k = 0; k < SOME; k++) {
        const char *r = r64[some[k]];
        x_rr(&b, X_IMUL_I, some[k], X_R10);
        x_i32(&b, 1000);
        expect("imul %s, r10, 1000", r);
        x_rr(&b, X_ROUNDF, X_XMM0 + some[k], X_XMM0 + 11);
        x_i8(&b, 9);
        expect("roundsd xmm%d, xmm11, 9", some[k]);
        x_shift_i(&b, X_SAR, some[k], 63);
        expect("sar %s, 63", r);
        x_rr(&b, X_SHIFT_CL, X_SHL, some[k]);
        expect("shl %s, cl", r);
        x_rr(&b, X_UNARY, X_NEG, some[k]);
        expect("neg %s", r);
        x_rr(&b, X_UNARY, X_IDIV_RAX, some[k]);
        expect("idiv %s", r);
        x_rr(&b, X_INC, 0, some[k]);
        expect("inc %s", r);
        x_rr(&b, X_BT_I, 7, some[k]);
        x_i8(&b, 63);
        expect("btc %s, 63", r);
        x_rr(&b, X_BT_I, 5, some[k]);
        x_i8(&b, 32);
        expect("bts %s, 32", r);
        x_rr(&b, X_BTR, X_R10, some[k]);
        expect("btr %s, r10", r);
        x_rr(&b, X_SET + X_LE, 0, some[k]);
        expect("setle %s", r8[some[k]]);
        x_rr(&b, X_TEST8_I, 0, some[k]);
        x_i8(&b, 7);
        expect("test %s, 7", r8[some[k]]);
        x_rm(&b, X_STORE_I, 0, some[k], 8);
        x_i32(&b, -5);
        expect("mov qword ptr [%s+8], -5", r);
        x_rm(&b, X_STORE32_I, 0, some[k], 8);
        x_i32(&b, -5);
        expect("mov dword ptr [%s+8], -5", r);
        x_rm(&b, X_STORE8_I, 0, some[k], 8);
        x_i8(&b, 5);
        expect("mov byte ptr [%s+8], 5", r);
        x_rm(&b, X_GROUP8_I8, X_ALU_CMP, some[k], 8);
        x_i8(&b, 0);
        expect("cmp byte ptr [%s+8], 0", r);
        x_rm(&b, X_GROUP32_I8, X_ALU_CMP, some[k], 0);
        x_i8(&b, 0);
        expect("cmp dword ptr [%s], 0", r);
        x_rm(&b, X_CMP32, X_RCX, some[k], 12);
        expect("cmp ecx, dword ptr [%s+12]", r);
        x_rm(&b, X_JUMP, 4, some[k], -16);
        expect("jmp qword ptr [%s-16]", r);
    }
}

static void
constants(void)
{
    static const int64_t v[] = {0, 1, -1, INT32_MAX, INT32_MIN,
        (int64_t)INT32_MIN - 1, UINT32_MAX, (int64_t)UINT32_MAX + 1,
        INT64_MAX, INT64_MIN};

    for (int k = 0; k < SOME; k++)
        for (unsigned n = 0; n < sizeof v / sizeof *v; n++) {
            x_const(&b, some[k], v[n]);
            if (v[n] >= 0 && v[n] <= UINT32_MAX)
                expect("mov %s, %lld", r32[some[k]], (long long)v[n]);
            else if (v[n] == (int32_t)v[n])
                expect("mov %s, %lld", r64[some[k]], (long long)v[n]);
            else
                expect("movabs %s, %lld", r64[some[k]], (long long)v[n]);
        }
}

/* Each number of bytes is one instruction, as far as there is one. */
static void
nops(void)
{
    for (unsigned n = 1; n <= 8; n++) {
        x_nops(&b, n);
        expect(".nops %u", n);
    }
}

/* What leads elsewhere, from where it ends. */
static void
jumps(void)
{
    static const int32_t far[] = {-5, 0, 0x12345678};

    for (unsigned i = 0; i < sizeof far / sizeof *far; i++) {
        x_call_to(&b, b.p + 5 + far[i]);
        expect("call .+%d", 5 + far[i]);
    }
    x_return(&b);
    expect("ret");
    for (int cc = X_ALWAYS; cc <= X_G; cc++) {
        static const char *const names[] = {"mp", "o", "no", "b", "ae", "e",
            "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"};
        x_fix_near(x_jump_near(&b, cc), code + 2 + 50);
        expect("j%s .+52", names[cc + 1]);
        x_jump_back(&b, cc, code);
        expect("j%s .", names[cc + 1]);
    }
    uint8_t *end = x_jump(&b, X_ALWAYS);
    x_fix(end, end + 0x12345678);
    expect("jmp .+%d", (int)(x_target(end) - code));
}

int
main(void)
{
    nops();
    jumps();
    tables();
    immediates();
    constants();
    return 0;
}
