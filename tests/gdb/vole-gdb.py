# SPDX-License-Identifier: MIT
"""For gdb: backtraces go on below machine code.

    gdb -x tests/gdb/vole-gdb.py --args build/cmd/vole/vole run prog.go

Machine code has no frame of its own on the C stack, which gdb cannot know: it
shows words of the stack as frames, and stops.  What has called it is
jit_enter(), whose frame rbp points to all the while, and which has saved the
registers just below (enter_x64.S).  Which Go function it is, and its callers,
are in the goroutine's frames: a traceback (SIGQUIT) shows them.
"""

import gdb
from gdb.unwinder import Unwinder

LOW = 1 << 31    # machine code is below, all else of the process above
SAVED = ['rbx', 'r12', 'r13', 'r14', 'r15']  # in the order of their pushes


class FrameId:
    """What tells frames apart: their place and the code."""

    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


class MachineCode(Unwinder):
    """From machine code to jit_enter()'s caller."""

    def __init__(self):
        super().__init__('vole machine code')

    def __call__(self, pending):
        pc = pending.read_register('rip')
        if not 0 < int(pc) < LOW:
            return None
        rbp = pending.read_register('rbp')
        word = gdb.lookup_type('unsigned long').pointer()
        info = pending.create_unwind_info(FrameId(rbp, pc))
        at = rbp.cast(word)
        for i, name in enumerate(SAVED):
            info.add_saved_register(name, (at - 1 - i).dereference())
        info.add_saved_register('rbp', at.dereference())
        info.add_saved_register('rip', (at + 1).dereference())
        info.add_saved_register('rsp', rbp + 16)
        return info


gdb.unwinder.register_unwinder(None, MachineCode(), replace=True)
