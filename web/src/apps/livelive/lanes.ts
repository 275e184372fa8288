// SPDX-License-Identifier: Apache-2.0
import { SIDE_BY_SIDE, type PathLine } from "../../state/picture";
import type { FlowDirection } from "./api";
import { lookOf } from "./health";

/** The colour of a path, on the map and beside its number. */
export function laneOf(path: number): number {
  return (path - 1) % SIDE_BY_SIDE;
}

/**
 * A line per path over the map, in its own colour, from host to host where the ends are hosts. A way back over the links of
 * a way there is the same line, which is silent if either is.
 */
export function lanesOf(directions: readonly FlowDirection[], isHost: (name: string) => boolean): readonly PathLine[] {
  const lines = new Map<string, PathLine>();
  directions.forEach((direction, way) => {
    for (const line of waysOf(direction, isHost)) {
      const links = line.hops
        .map(({ from, to }) => [from, to].sort().join(" "))
        .sort()
        .join(",");
      const drawn = lines.get(links);
      lines.set(
        links,
        drawn === undefined
          ? way === 0
            ? line
            : { ...line, id: `${line.id}-back`, look: "back" }
          : { ...drawn, silent: drawn.silent === true || line.silent === true },
      );
    }
  });
  return [...lines.values()];
}

function waysOf(direction: FlowDirection, isHost: (name: string) => boolean): readonly PathLine[] {
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
