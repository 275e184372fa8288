// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.allocate.Allocations;
import org.sextant.core.intent.desired.DesiredState;
import org.sextant.core.intent.install.Installation;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.intent.status.StatusBoard;

/** The rooms of the engine, in the order in which changes pass them. */
record Rooms(
        EngineRuntime runtime,
        DesiredState desired,
        Allocations allocations,
        Installation installation,
        OrphanedEntries orphans,
        StatusBoard status) {}
