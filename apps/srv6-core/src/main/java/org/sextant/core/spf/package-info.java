// SPDX-License-Identifier: Apache-2.0
/** When paths are computed again after links have changed (RFC 8405). */
package org.sextant.core.spf;
