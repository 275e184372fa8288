// SPDX-License-Identifier: Apache-2.0
/** Firewalls at {@code /srv6/firewalls} and as {@code srv6:firewall…}. */
@NullMarked
package org.sextant.sera.app;

import org.jspecify.annotations.NullMarked;
