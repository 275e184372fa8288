// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.allocate.Allocations;
import org.sextant.core.intent.install.Installation;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.intent.status.Views;

/** The packages below this one, and the parts that all share. */
record DesiredRooms(
        EngineRuntime runtime,
        Allocations allocations,
        Installation installation,
        OrphanedEntries orphans,
        Views views) {}
