/* SPDX-License-Identifier: MIT */
#ifndef RUNTIME_BASE_GOVERSION_H
#define RUNTIME_BASE_GOVERSION_H

/*
 * The version of Go whose language and library scripts are written for: what
 * runtime.Version() returns, and the newest release for which a //go:build
 * line holds.
 */

#include "runtime/base/throw.h"

#define RT_GO_MINOR   26
#define RT_GO_VERSION "go1." RT_STR(RT_GO_MINOR)

#endif
