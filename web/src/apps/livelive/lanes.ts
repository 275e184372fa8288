// SPDX-License-Identifier: Apache-2.0
import type { FlowDirection } from "../../api/client";
import type { PathLine } from "../../state/picture";

/** The colours that paths have, on the map and beside their numbers. */
export const LANES = 6;

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
      look: "lane",
      lane: (path.path - 1) % LANES,
      silent: path.state === "SILENT",
      hops: names.slice(1).map((to, i) => ({ from: names[i] ?? "", to })),
    };
  });
}
