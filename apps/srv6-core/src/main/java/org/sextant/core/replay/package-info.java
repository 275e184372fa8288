// SPDX-License-Identifier: Apache-2.0
/**
 * Recordings of the engine's messages: a {@link org.sextant.core.replay.RecordingWriter} writes one, a
 * {@link org.sextant.core.replay.Replay} repeats it and compares the decisions.
 */
package org.sextant.core.replay;
