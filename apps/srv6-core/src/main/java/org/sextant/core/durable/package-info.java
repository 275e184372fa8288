// SPDX-License-Identifier: Apache-2.0
/** Small files that survive a kill and a power cut: users, keys, certificates, heads. */
package org.sextant.core.durable;
