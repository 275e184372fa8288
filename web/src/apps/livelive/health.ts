// SPDX-License-Identifier: Apache-2.0
import type { FlowDirection, FlowStatus } from "../../api/client";
import { counted } from "../../model/format";

/** A path or a direction: what the controller says of it, if anything. */
type Judged = Pick<FlowDirection, "state"> | Pick<FlowDirection["paths"][number], "state">;

/** A path of a flow that does not do what it should. */
export interface BadPath {
  readonly path: number;
  readonly from: string;
  readonly to: string;
  /** The controller's word for it, such as "silent". */
  readonly state: string;
}

/** Nothing is known of it, or nothing is wrong with it. What a later controller may say besides is not judged good. */
const WELL = new Set(["", "UNKNOWN", "DELIVERING"]);
/** Nothing comes over it. */
const DEAD = new Set(["SILENT", "DOWN"]);

export function lookOf(path: Judged): "good" | "warn" | "bad" {
  const state = stateOf(path);
  return WELL.has(state) ? "good" : DEAD.has(state) ? "bad" : "warn";
}

/** What is shown beside it; "" if there is nothing to say. */
export function stateText(path: Judged): string {
  return stateOf(path) === "UNKNOWN" ? "" : stateOf(path).toLowerCase();
}

export function badPaths(flow: Pick<FlowStatus, "directions">): readonly BadPath[] {
  return flow.directions.flatMap(({ from, to, paths }) =>
    paths
      .filter((path) => lookOf(path) !== "good")
      .map((path) => ({ path: path.path, from, to, state: stateText(path) })),
  );
}

/** Bad paths of all flows in a few words, such as "2 paths silent". */
export function pathTroubles(flows: Iterable<Pick<FlowStatus, "directions">>): readonly string[] {
  const counts = new Map<string, number>();
  for (const { state } of [...flows].flatMap(badPaths)) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts].sort().map(([state, count]) => `${counted(count, "path")} ${state}`);
}

function stateOf(path: Judged): string {
  return path.state ?? "";
}
