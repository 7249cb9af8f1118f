// SPDX-License-Identifier: MIT

// Package cpu, of a module, finds no features: no assembly runs that could use
// them.
package cpu

func cpuid(eaxArg, ecxArg uint32) (eax, ebx, ecx, edx uint32) { return }

func darwinSupportsAVX512() bool { return false }

func runtime_getAuxv() []uintptr { return nil }

func xgetbv() (eax, edx uint32) { return }
