/* SPDX-License-Identifier: MIT */

/*
 * Into machine code and out of it.
 *
 *     rbx  fp             rsp + 0   struct vm_thread *
 *     r12  the preempt flag   + 8   struct vm_g *
 *     rbp  of this frame      + 16  struct jit_area *
 *                             + 40  sched_p.alone
 *
 * rax, rcx, rdx, xmm0 and xmm1 are free at any instruction; all others but
 * rsp hold webs.  The frame has this size throughout, and rbp leads unwinders
 * through it, which know nothing of the code.
 */
#if defined(__x86_64__)

#define AREA_FP    256
#define AREA_KIND  264
#define AREA_VALUE 268
#define AREA_PC    272
#define ALONE      4 /* from the preempt flag on */
#define KIND_POINTER 22 /* struct rtype.kind, its first byte */
#define FAR        128 /* bytes that jit_index_byte() looks at itself */
#define PAGE       4096 /* or a multiple of that */
#define KEPT       120 /* the stack stays aligned */
#define SCRATCH    24  /* OP_AT_SCRATCH */
#define SCRATCH_2  32

/* struct race_g, which is r15 where races are looked for, and its epochs. */
#define G_EPOCH    0
#define G_CELLS    8
#define G_LO       16
#define G_WHERE    32
#define G_PLACE    40
#define G_STACK    48 /* place_stack */
#define MASK       0xff
#define AREA_XMM(n) (128 + 8 * (n))

    .text
    .globl jit_enter
    .hidden jit_enter
    .type jit_enter, @function
jit_enter:
    .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    .cfi_offset %rbx, -24
    .cfi_offset %r12, -32
    .cfi_offset %r13, -40
    .cfi_offset %r14, -48
    .cfi_offset %r15, -56
    sub $56, %rsp
    mov %rdi, (%rsp)
    mov %rsi, 8(%rsp)
    mov %r8, 16(%rsp)
    movzbl ALONE(%r9), %eax
    mov %eax, 40(%rsp)
    mov %r9, %r12
    mov %rdx, %rbx
    mov %r8, %rax
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movsd AREA_XMM(\n)(%rax), %xmm\n
    .endr
    mov 48(%rax), %rsi
    mov 56(%rax), %rdi
    mov 64(%rax), %r8
    mov 72(%rax), %r9
    mov 80(%rax), %r10
    mov 88(%rax), %r11
    mov 104(%rax), %r13
    mov 112(%rax), %r14
    mov 120(%rax), %r15
    jmp *%rcx
    .cfi_endproc
    .size jit_enter, . - jit_enter

/* Compares rcx bytes at rax and rdx, at least one: sixteen at a time, and at
 * the end the last sixteen, eight or four once more as far as they overlap. */
    .globl jit_memeq
    .hidden jit_memeq
    .type jit_memeq, @function
jit_memeq:
    .cfi_startproc
    push %rsi
    .cfi_def_cfa_offset 16
    .cfi_offset %rsi, -16
    cmp $16, %rcx
    jb 2f
1:
    movdqu (%rax), %xmm0
    movdqu (%rdx), %xmm1
    pcmpeqb %xmm1, %xmm0
    pmovmskb %xmm0, %esi
    cmp $0xffff, %esi
    jne 9f
    sub $16, %rcx
    je 9f
    add $16, %rax
    add $16, %rdx
    cmp $16, %rcx
    jae 1b
    movdqu -16(%rax,%rcx), %xmm0
    movdqu -16(%rdx,%rcx), %xmm1
    pcmpeqb %xmm1, %xmm0
    pmovmskb %xmm0, %esi
    cmp $0xffff, %esi
    jmp 9f
2:
    cmp $8, %rcx
    jb 3f
    mov (%rax), %rsi
    cmp (%rdx), %rsi
    jne 9f
    mov -8(%rax,%rcx), %rsi
    cmp -8(%rdx,%rcx), %rsi
    jmp 9f
3:
    cmp $4, %rcx
    jb 4f
    mov (%rax), %esi
    cmp (%rdx), %esi
    jne 9f
    mov -4(%rax,%rcx), %esi
    cmp -4(%rdx,%rcx), %esi
    jmp 9f
4: /* the first, the last, and the middle one */
    movzbl (%rax), %esi
    cmp (%rdx), %sil
    jne 9f
    movzbl -1(%rax,%rcx), %esi
    cmp -1(%rdx,%rcx), %sil
    jne 9f
    shr $1, %rcx
    movzbl (%rax,%rcx), %esi
    cmp (%rdx,%rcx), %sil
9:
    pop %rsi
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size jit_memeq, . - jit_memeq

/* Calls C without a register of a web being lost. */
    .macro keep
    push %rsi
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rsi, 0
    push %rdi
    .cfi_adjust_cfa_offset 8
    push %r8
    .cfi_adjust_cfa_offset 8
    push %r9
    .cfi_adjust_cfa_offset 8
    push %r10
    .cfi_adjust_cfa_offset 8
    push %r11
    .cfi_adjust_cfa_offset 8
    sub $KEPT, %rsp
    .cfi_adjust_cfa_offset KEPT
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movsd %xmm\n, 8 * (\n - 2)(%rsp)
    .endr
    .endm
    .macro unkeep
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movsd 8 * (\n - 2)(%rsp), %xmm\n
    .endr
    add $KEPT, %rsp
    .cfi_adjust_cfa_offset -KEPT
    pop %r11
    .cfi_adjust_cfa_offset -8
    pop %r10
    .cfi_adjust_cfa_offset -8
    pop %r9
    .cfi_adjust_cfa_offset -8
    pop %r8
    .cfi_adjust_cfa_offset -8
    pop %rdi
    .cfi_adjust_cfa_offset -8
    pop %rsi
    .cfi_adjust_cfa_offset -8
    .endm
    .macro routine name
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
    .endm

    routine jit_keep_rune
    keep
    mov %rax, %rdi
    mov %rcx, %rsi
    call jit_rune
    unkeep
    ret
    .cfi_endproc
    .size jit_keep_rune, . - jit_keep_rune

    routine jit_keep_equal
    cmpb $KIND_POINTER, (%rax)
    jne 1f
    xor %eax, %eax
    cmp %rcx, %rdx
    sete %al
    test %eax, %eax
    ret
1:
    keep
    mov %rax, %rdi
    mov %rcx, %rsi
    call jit_equal
    unkeep
    test %eax, %eax
    ret
    .cfi_endproc
    .size jit_keep_equal, . - jit_keep_equal

    routine jit_keep_memcmp
    keep
    mov %rax, %rdi
    mov %rdx, %rsi
    mov %rcx, %rdx
    call memcmp@PLT
    unkeep
    test %eax, %eax
    ret
    .cfi_endproc
    .size jit_keep_memcmp, . - jit_keep_memcmp

/* Finds the byte in dl among rcx bytes at rax, sixteen at a time, and at the end
 * the last sixteen, as far as they overlap once more.  Of fewer, sixteen are
 * loaded, too, in the page that they are in.  What is far is memchr()'s, which
 * looks at more at once. */
    routine jit_index_byte
    movd %edx, %xmm1
    punpcklbw %xmm1, %xmm1
    pshuflw $0, %xmm1, %xmm1
    punpcklqdq %xmm1, %xmm1
    sub $16, %rcx
    jb 3f
    push %rsi
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rsi, 0
    mov %rax, %rsi
    add %rax, %rcx /* where the last ones begin */
1:
    movdqu (%rax), %xmm0
    pcmpeqb %xmm1, %xmm0
    pmovmskb %xmm0, %edx
    test %edx, %edx
    jne 2f
    cmp %rcx, %rax
    je 7f
    add $16, %rax
    lea FAR(%rsi), %rdx
    cmp %rdx, %rax
    jae 6f
    cmp %rcx, %rax
    jb 1b
    mov %rcx, %rax
    jmp 1b
2:
    bsf %edx, %edx
    sub %rsi, %rax
    add %rdx, %rax
    pop %rsi
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rsi
    ret
3: /* rcx is 16 less than their number */
    cmp $-16, %rcx
    jle 9f
    mov %eax, %edx
    and $(PAGE - 1), %edx
    cmp $(PAGE - 16), %edx
    ja 4f
    movdqu (%rax), %xmm0
    pcmpeqb %xmm1, %xmm0
    pmovmskb %xmm0, %eax
    bsf %eax, %eax
    je 9f
    add $16, %rcx
    cmp %rcx, %rax
    jae 9f
    ret
4: /* those that end with the last one */
    movdqu (%rax,%rcx), %xmm0
    pcmpeqb %xmm1, %xmm0
    pmovmskb %xmm0, %eax
    neg %ecx
    shr %cl, %eax
    bsf %eax, %eax
    je 9f
    ret
6: /* up to rcx + 16, from rax on */
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rsi, 0
    movd %xmm1, %edx
    sub $8, %rsp
    .cfi_adjust_cfa_offset 8
    keep
    mov %rax, %rdi
    movzbl %dl, %esi
    lea 16(%rcx), %rdx
    sub %rax, %rdx
    call memchr@PLT
    unkeep
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
    test %rax, %rax
    je 7f
    sub %rsi, %rax
    pop %rsi
    .cfi_adjust_cfa_offset -8
    ret
7:
    .cfi_adjust_cfa_offset 8
    pop %rsi
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rsi
9:
    mov $-1, %rax
    ret
    .cfi_endproc
    .size jit_index_byte, . - jit_index_byte

/* Copies rcx bytes to rdx from rax, as memmove(): of few of them what overlaps
 * has been loaded before the first store. */
    routine jit_copy
    cmp $16, %rcx
    ja 3f
    cmp $8, %rcx
    jb 1f
    movq (%rax), %xmm0
    movq -8(%rax,%rcx), %xmm1
    movq %xmm0, (%rdx)
    movq %xmm1, -8(%rdx,%rcx)
    ret
1:
    cmp $4, %rcx
    jb 2f
    movd (%rax), %xmm0
    movd -4(%rax,%rcx), %xmm1
    movd %xmm0, (%rdx)
    movd %xmm1, -4(%rdx,%rcx)
    ret
2: /* three bytes at most */
    test %rcx, %rcx
    je 9f
    push %rsi
    .cfi_adjust_cfa_offset 8
    movzbl -1(%rax,%rcx), %esi
    cmp $1, %rcx
    je 1f
    movzwl (%rax), %eax
    mov %ax, (%rdx)
1:
    mov %sil, -1(%rdx,%rcx)
    pop %rsi
    .cfi_adjust_cfa_offset -8
9:
    ret
3:
    cmp $32, %rcx
    ja 4f
    movdqu (%rax), %xmm0
    movdqu -16(%rax,%rcx), %xmm1
    movdqu %xmm0, (%rdx)
    movdqu %xmm1, -16(%rdx,%rcx)
    ret
4:
    cmp $256, %rcx
    ja 7f
    push %rsi
    .cfi_remember_state
    .cfi_adjust_cfa_offset 8
    mov %rdx, %rsi
    sub %rax, %rsi
    cmp %rcx, %rsi
    jb 6f
    /* Upwards; the last sixteen bytes have been loaded before. */
    movdqu -16(%rax,%rcx), %xmm1
    lea -16(%rdx,%rcx), %rsi
5:
    movdqu (%rax), %xmm0
    movdqu %xmm0, (%rdx)
    add $16, %rax
    add $16, %rdx
    sub $16, %rcx
    cmp $16, %rcx
    ja 5b
    movdqu %xmm1, (%rsi)
    pop %rsi
    .cfi_adjust_cfa_offset -8
    ret
6: /* Downwards, as what is written is still to be read; but the first ones. */
    .cfi_adjust_cfa_offset 8
    pop %rsi
    .cfi_adjust_cfa_offset -8
    movdqu (%rax), %xmm1
5:
    movdqu -16(%rax,%rcx), %xmm0
    movdqu %xmm0, -16(%rdx,%rcx)
    sub $16, %rcx
    cmp $16, %rcx
    ja 5b
    movdqu %xmm1, (%rdx)
    ret
7:
    .cfi_restore_state
    keep
    mov %rdx, %rdi
    mov %rax, %rsi
    mov %rcx, %rdx
    call memmove@PLT
    unkeep
    ret
    .cfi_endproc
    .size jit_copy, . - jit_copy

    /* rax and rcx, too. */
    .macro keep_more
    push %rax
    .cfi_adjust_cfa_offset 8
    push %rcx
    .cfi_adjust_cfa_offset 8
    keep
    .endm
    .macro unkeep_more
    unkeep
    pop %rcx
    .cfi_adjust_cfa_offset -8
    pop %rax
    .cfi_adjust_cfa_offset -8
    .endm

    routine jit_keep_shade
    keep_more
    mov KEPT + 72(%rsp), %rdi
    mov KEPT + 96(%rsp), %rsi
    mov KEPT + 104(%rsp), %rdx
    call jit_shade
    unkeep_more
    ret
    .cfi_endproc
    .size jit_keep_shade, . - jit_keep_shade

    /*
     * What more_bytes() of runtime/race/cell.c does, where the place is known
     * and the access is of 1, 2 or 4 bytes: bytes are added to a word of the
     * goroutine's present time, and the other word has no other time.  It
     * returns; or all is as before, but perhaps for the bytes.
     */
    .macro more_bytes
    cmp %r14, G_PLACE(%r15)
    jne 9f
    cmp $2 * 4 + 1, %edx
    ja 9f
    .irp r, %rax, %rcx, %rsi, %rdi
    push \r
    .cfi_adjust_cfa_offset 8
    .endr
    mov SCRATCH + 8 + 32(%rsp), %rsi
    sub G_LO(%r15), %rsi
    mov %esi, %ecx
    and $7, %ecx
    shr $3, %rsi
    mov %edx, %eax
    shr $1, %eax
    sbb %edi, %edi
    neg %edi
    lea (%rdi,%rsi,2), %rsi /* the word's number */
    mov G_WHERE(%r15), %rdi
    mov (%rdi,%rsi,4), %edi
    cmp %edi, G_STACK(%r15)
    jne 8f
    xor %edi, %edi
    bts %eax, %edi
    sub $1, %edi
    shl %cl, %edi /* the mask */
    cmp $MASK, %edi
    ja 8f
    mov G_CELLS(%r15), %rax
    lea (%rax,%rsi,8), %rsi
    mov (%rsi), %rax
    mov %rax, %rcx
    xor G_EPOCH(%r15), %rcx
    cmp $MASK, %rcx
    ja 8f
    or %rax, %rdi
    lock cmpxchg %rdi, (%rsi)
    jne 8f
    xor $8, %rsi /* the other word */
    mov (%rsi), %rax
    test %rax, %rax
    je 7f
    xor G_EPOCH(%r15), %rax
    cmp $MASK, %rax
    ja 8f
7:
    .cfi_remember_state
    .irp r, %rdi, %rsi, %rcx, %rax
    pop \r
    .cfi_adjust_cfa_offset -8
    .endr
    ret
8:
    .cfi_restore_state
    .irp r, %rdi, %rsi, %rcx, %rax
    pop \r
    .cfi_adjust_cfa_offset -8
    .endr
9:
    .endm

    routine jit_keep_look
    more_bytes
    keep_more
    mov %edx, %r8d
    mov KEPT + 72(%rsp), %rdi
    mov KEPT + 104(%rsp), %rsi
    mov %r14, %rdx
    mov KEPT + 96(%rsp), %rcx
    call jit_look
    unkeep_more
    ret
    .cfi_endproc
    .size jit_keep_look, . - jit_keep_look

    routine jit_keep_look_int
    more_bytes
    .irp r, %rax, %rcx, %rsi, %rdi, %r8, %r9, %r10, %r11
    push \r
    .cfi_adjust_cfa_offset 8
    .endr
    sub $8, %rsp /* the stack stays aligned */
    .cfi_adjust_cfa_offset 8
    mov %edx, %r8d
    mov 80(%rsp), %rdi
    mov 112(%rsp), %rsi
    mov %r14, %rdx
    mov 104(%rsp), %rcx
    call jit_look
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
    .irp r, %r11, %r10, %r9, %r8, %rdi, %rsi, %rcx, %rax
    pop \r
    .cfi_adjust_cfa_offset -8
    .endr
    ret
    .cfi_endproc
    .size jit_keep_look_int, . - jit_keep_look_int

/* The ways out, in the order of enum jit_exit; the emitted code jumps to a
 * copy.  eax: the value. */
    .section .rodata
    .balign 16
    .globl jit_exits, jit_exits_end, jit_exit_offsets
    .hidden jit_exits, jit_exits_end, jit_exit_offsets
jit_exits:
0:
    xor %ecx, %ecx
    jmp leave
1:
    mov $1, %ecx
    jmp save
2:
    mov $2, %ecx
    jmp save
6: /* what a thunk has kept */
    mov SCRATCH(%rsp), %rdx
    mov SCRATCH_2(%rsp), %rbx
3: /* rdx: the pc */
    mov 16(%rsp), %rcx
    mov %rdx, AREA_PC(%rcx)
    mov $3, %ecx
    jmp leave
4:
    mov $4, %ecx
    jmp leave
5:
    mov $5, %ecx
    jmp leave
save:
    mov 16(%rsp), %rdx
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movsd %xmm\n, AREA_XMM(\n)(%rdx)
    .endr
    mov %rsi, 48(%rdx)
    mov %rdi, 56(%rdx)
    mov %r8, 64(%rdx)
    mov %r9, 72(%rdx)
    mov %r10, 80(%rdx)
    mov %r11, 88(%rdx)
    mov %r13, 104(%rdx)
    mov %r14, 112(%rdx)
    mov %r15, 120(%rdx)
leave:
    mov 16(%rsp), %rdx
    mov %ecx, AREA_KIND(%rdx)
    mov %eax, AREA_VALUE(%rdx)
    mov %rbx, AREA_FP(%rdx)
    lea -40(%rbp), %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
jit_exits_end:
    .balign 4
jit_exit_offsets:
    .long 0b - jit_exits, 1b - jit_exits, 2b - jit_exits
    .long 3b - jit_exits, 4b - jit_exits, 5b - jit_exits
    .long 6b - jit_exits

#endif
    .section .note.GNU-stack, "", @progbits
