// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.Optional;
import org.sextant.core.intent.Submission;

/**
 * The result of replacing an intent.
 *
 * @param before the intent before the change
 * @param submission empty if it was not the one that the change was made for: nothing was changed
 */
public record Replacement(Object before, Optional<Submission<Object>> submission) {}
