// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** The rooms below this one, and what all rooms share. */
record DesiredRooms(
        EngineRuntime runtime,
        Allocations allocations,
        Installation installation,
        OrphanedEntries orphans,
        Views views) {}
