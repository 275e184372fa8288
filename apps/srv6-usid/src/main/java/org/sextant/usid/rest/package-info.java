// SPDX-License-Identifier: Apache-2.0
/** Policies by REST, at {@code /srv6/policies}. */
package org.sextant.usid.rest;
