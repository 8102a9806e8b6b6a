# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Shortcuts of the data path that guests can be without: parameters of the module, and features of the hosts' interfaces.

# shellcheck disable=SC2034 # for those who source this
shortcuts=(simd use_sg xmit_hard gso gro peer)
# Those that User-Mode Linux uses: GRO is off there, except for "peer".
# shellcheck disable=SC2034 # for those who source this
uml_shortcuts=(simd use_sg xmit_hard gso peer)
