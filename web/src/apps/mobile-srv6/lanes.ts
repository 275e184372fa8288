// SPDX-License-Identifier: Apache-2.0
import { SIDE_BY_SIDE, type PathLine } from "../../state/picture";
import type { SliceStatus, SliceWay } from "./api";

/** So far apart are the colours of a slice's two directions. */
const ACROSS = SIDE_BY_SIDE / 2;

/** The colour of a slice, on the map and beside its name: its place among all of them. */
export function laneOf(slice: string, all: Iterable<string>): number {
  const place = [...all].sort((one, other) => one.localeCompare(other, undefined, { numeric: true })).indexOf(slice);
  return Math.max(place, 0) % SIDE_BY_SIDE;
}

/** The colour of a direction of a slice. */
export function directionLane(lane: number, direction: SliceWay["direction"]): number {
  return direction === "uplink" ? lane : (lane + ACROSS) % SIDE_BY_SIDE;
}

/** All slices, each in its colour; a way back over the links of a way there is the same line. */
export function linesOfAll(slices: readonly Pick<SliceStatus, "id" | "ways">[]): readonly PathLine[] {
  const ids = slices.map(({ id }) => id);
  return slices.flatMap(({ id, ways }) =>
    linesOf(ways, (way) => [...nodesOf(way)].sort().join(" ")).map((line, i) => ({
      ...line,
      id: `slice ${id} ${i}`,
      beside: laneOf(id, ids),
    })),
  );
}

/** The ways of one slice, each direction in its colour. */
export function linesOfOne(ways: readonly SliceWay[], lane: number): readonly PathLine[] {
  return (["uplink", "downlink"] as const).flatMap((direction) =>
    linesOf(
      ways.filter((way) => way.direction === direction),
      (way) => nodesOf(way).join(" "),
    ).map((line, i) => ({
      ...line,
      id: `${direction} ${i}`,
      look: direction === "uplink" ? "forward" : "back",
      beside: directionLane(lane, direction),
    })),
  );
}

/** One line for all ways of one route: IPv4, IPv6 and packets carried whole go the same. */
function linesOf(ways: readonly SliceWay[], routeOf: (way: SliceWay) => string): readonly PathLine[] {
  const routes = new Map(ways.map((way) => [routeOf(way), nodesOf(way)] as const).reverse());
  return [...routes.values()].reverse().map((nodes, i) => ({
    id: String(i),
    look: "forward",
    hops: nodes.slice(1).map((to, at) => ({ from: nodes[at] ?? "", to })),
  }));
}

/** Each once, in the order of a packet. */
export function nodesOf(way: Pick<SliceWay, "hops">): readonly string[] {
  return way.hops.map(({ node }) => node).filter((node, i, all) => node !== all[i - 1]);
}
