// SPDX-License-Identifier: Apache-2.0
/**
 * The compiler of policies, a pure function from a policy and a network to entries and an explanation:
 *
 * <pre>
 *   Policy --Resolver--&gt; Direction (atoms per list) --Packing--&gt; containers --Walk--&gt; trace
 *          --&gt; entries, explanation
 * </pre>
 */
package org.sextant.usid.plan;
