// SPDX-License-Identifier: Apache-2.0
import { SIDE_BY_SIDE, type PathLine } from "../../state/picture";
import type { FlowDirection } from "./api";
import { lookOf } from "./health";

/** The colour of a path, on the map and beside its number. */
export function laneOf(path: number): number {
  return (path - 1) % SIDE_BY_SIDE;
}

/** A line per path over the map, in its own colour, from host to host where the ends are hosts. */
export function lanesOf(direction: FlowDirection, isHost: (name: string) => boolean): readonly PathLine[] {
  return direction.paths.map((path) => {
    const names = [
      ...(isHost(direction.from) ? [direction.from] : []),
      ...path.nodes,
      ...(isHost(direction.to) ? [direction.to] : []),
    ];
    return {
      id: `lane${path.path}`,
      look: "forward",
      beside: laneOf(path.path),
      silent: lookOf(path) === "bad" || lookOf(direction) === "bad",
      hops: names.slice(1).map((to, i) => ({ from: names[i] ?? "", to })),
    };
  });
}
