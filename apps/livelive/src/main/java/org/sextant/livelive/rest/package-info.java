// SPDX-License-Identifier: Apache-2.0
/** Live-Live flows by REST, at {@code /srv6/livelive}. */
package org.sextant.livelive.rest;
