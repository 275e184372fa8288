// SPDX-License-Identifier: Apache-2.0
import { counted } from "../../model/format";
import type { FlowDirection, FlowStatus } from "./api";
import { strings } from "./strings";

/** A path or a direction: the controller's judgment of it, if there is one. */
type Judged = Pick<FlowDirection, "state"> | Pick<FlowDirection["paths"][number], "state">;

/** A direction of a flow, or one of its paths, that does not deliver as it should. */
export interface FlowTrouble {
  /** Undefined: the direction, whatever its paths do. */
  readonly path?: number;
  readonly from: string;
  readonly to: string;
  /** The controller's word for it, such as "silent". */
  readonly state: string;
}

/**
 * Nothing is known of it, or nothing is wrong with it. States that a later controller may have besides are not judged
 * good.
 */
const WELL = new Set(["", "UNKNOWN", "DELIVERING"]);
/** Nothing comes over it. */
const DEAD = new Set(["SILENT", "DOWN"]);

export function lookOf(path: Judged): "good" | "warn" | "bad" {
  const state = stateOf(path);
  return WELL.has(state) ? "good" : DEAD.has(state) ? "bad" : "warn";
}

/** The text beside it; "" if there is none. */
export function stateText(path: Judged): string {
  const state = stateOf(path);
  return state === "UNKNOWN" ? "" : (strings.states[state] ?? state.toLowerCase());
}

/** Each direction and then its paths; where nothing at all arrives, that no path delivers goes without saying. */
export function troublesOf(flow: Pick<FlowStatus, "directions">): readonly FlowTrouble[] {
  return flow.directions.flatMap((direction) => {
    const { from, to, paths } = direction;
    const silent = lookOf(direction) === "bad";
    const bad = paths.filter((path) => lookOf(path) !== "good" && !(silent && lookOf(path) === "bad"));
    return [
      ...(lookOf(direction) === "good" ? [] : [{ from, to, state: stateText(direction) }]),
      ...bad.map((path) => ({ path: path.path, from, to, state: stateText(path) })),
    ];
  });
}

/** The troubles of all flows in a few words, such as "1 flow direction down", "2 paths silent". */
export function flowTroubles(flows: Iterable<Pick<FlowStatus, "directions">>): readonly string[] {
  const all = [...flows].flatMap(troublesOf);
  return [
    ...countedByState(
      all.filter(({ path }) => path === undefined),
      strings.flowDirection,
    ),
    ...countedByState(
      all.filter(({ path }) => path !== undefined),
      strings.path,
    ),
  ];
}

function countedByState(troubles: readonly FlowTrouble[], what: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const { state } of troubles) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts].sort().map(([state, count]) => `${counted(count, what)} ${state}`);
}

function stateOf(path: Judged): string {
  return path.state ?? "";
}
