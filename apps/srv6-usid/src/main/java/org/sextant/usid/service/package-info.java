// SPDX-License-Identifier: Apache-2.0
/** Policies over the engine: what REST and shell call. */
package org.sextant.usid.service;
