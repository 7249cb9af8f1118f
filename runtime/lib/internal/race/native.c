/* SPDX-License-Identifier: MIT */

/* Natives of internal/race: what the library tells the race detector.  A
 * native has no frame, so that accesses are seen where it is called. */

#include "runtime/race/race.h"

#include <stddef.h>

#include "runtime/lib/lib.h"
#include "runtime/lib/natives.h"
#include "runtime/vm/native.h"
#include "runtime/vm/vm.h"

/* Whether the detector is to be told of an object: not if only this goroutine
 * knows of it, since another object may have its address later. */
static bool
told(const struct vm_thread *t, const void *addr)
{
    return t->race != NULL && !vm_private_to(t->m->g, addr);
}

/* func Acquire(addr unsafe.Pointer) */
enum vm_status
lib_race_Acquire(struct vm_thread *t, union lib_race_Acquire_1to0 *f)
{
    if (told(t, f->in.addr))
        race_acquire(t->race, f->in.addr);
    return VM_OK;
}

/* func Release(addr unsafe.Pointer) */
enum vm_status
lib_race_Release(struct vm_thread *t, union lib_race_Release_1to0 *f)
{
    if (told(t, f->in.addr))
        race_release(t->race, f->in.addr);
    return VM_OK;
}

/* func ReleaseMerge(addr unsafe.Pointer) */
enum vm_status
lib_race_ReleaseMerge(
    struct vm_thread *t, union lib_race_ReleaseMerge_1to0 *f)
{
    if (told(t, f->in.addr))
        race_merge(t->race, f->in.addr);
    return VM_OK;
}

/* func Locked(addr unsafe.Pointer) */
enum vm_status
lib_race_Locked(struct vm_thread *t, union lib_race_Locked_1to0 *f)
{
    if (told(t, f->in.addr)) {
        race_lock(t->race, f->in.addr);
        race_touch(t->race, f->in.addr, 4, NULL, NULL);
    }
    return VM_OK;
}

/* func Unlocking(addr unsafe.Pointer) */
enum vm_status
lib_race_Unlocking(struct vm_thread *t, union lib_race_Unlocking_1to0 *f)
{
    if (told(t, f->in.addr)) {
        race_touch(t->race, f->in.addr, 4, NULL, NULL);
        race_unlock(t->race, f->in.addr);
    }
    return VM_OK;
}

/* func Touch(addr unsafe.Pointer) */
enum vm_status
lib_race_Touch(struct vm_thread *t, union lib_race_Touch_1to0 *f)
{
    if (t->race != NULL)
        race_touch(t->race, f->in.addr, 4, NULL, NULL);
    return VM_OK;
}

/* func Disable() */
enum vm_status
lib_race_Disable(struct vm_thread *t, union lib_race_Disable_0to0 *f)
{
    (void)f;
    if (t->race != NULL)
        race_quiet(t->race, true);
    return VM_OK;
}

/* func Enable() */
enum vm_status
lib_race_Enable(struct vm_thread *t, union lib_race_Enable_0to0 *f)
{
    (void)f;
    if (t->race != NULL && !race_quiet(t->race, false))
        return vm_panic_plain(t, "race: Enable without Disable");
    return VM_OK;
}

/* func Read(addr unsafe.Pointer) */
enum vm_status
lib_race_Read(struct vm_thread *t, union lib_race_Read_1to0 *f)
{
    if (t->race != NULL)
        race_read(t->race, f->in.addr, 1, NULL, NULL);
    return VM_OK;
}

/* func Write(addr unsafe.Pointer) */
enum vm_status
lib_race_Write(struct vm_thread *t, union lib_race_Write_1to0 *f)
{
    if (t->race != NULL)
        race_write(t->race, f->in.addr, 1, NULL, NULL);
    return VM_OK;
}

/* func ReadRange(addr unsafe.Pointer, n int) */
enum vm_status
lib_race_ReadRange(struct vm_thread *t, union lib_race_ReadRange_2to0 *f)
{
    if (t->race != NULL && f->in.n > 0)
        race_read_range(
            t->race, f->in.addr, (uint64_t)f->in.n, NULL, NULL);
    return VM_OK;
}

/* func WriteRange(addr unsafe.Pointer, n int) */
enum vm_status
lib_race_WriteRange(struct vm_thread *t, union lib_race_WriteRange_2to0 *f)
{
    if (t->race != NULL && f->in.n > 0)
        race_write_range(
            t->race, f->in.addr, (uint64_t)f->in.n, NULL, NULL);
    return VM_OK;
}

/* func Errors() int */
enum vm_status
lib_race_Errors(struct vm_thread *t, union lib_race_Errors_0to1 *f)
{
    f->out.r = t->race == NULL ? 0 : race_errors(t->race->race);
    return VM_OK;
}
