// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Optional;

/**
 * A change of one stored intent.
 *
 * @param before the text that the store had; empty if it is new
 * @param after the text that the store has; empty if it was removed
 */
public record StoredChange(IntentRef ref, Optional<String> before, Optional<String> after) {}
