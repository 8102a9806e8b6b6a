/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What sparse 0.6.4, the newest that distributions have, does not know of the
 * 7.2 kernel's headers. Without __typeof_unqual__ kbuild would not run it at
 * all; the length of a literal is not constant to it, which MODULE_INFO() asserts.
 */
#define __typeof_unqual__   __typeof__
#define __builtin_strlen(s) (sizeof(s) - 1)
