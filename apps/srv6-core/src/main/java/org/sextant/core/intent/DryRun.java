// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/**
 * What submitting an intent would come to.
 *
 * @param intent with the id and the number that it has or would get if it were submitted now
 * @param plan what would be installed, or why it would be rejected
 */
public record DryRun<I>(Numbered<I> intent, Plan plan) {}
