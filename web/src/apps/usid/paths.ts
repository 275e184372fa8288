// SPDX-License-Identifier: Apache-2.0
import type { PathHop, PathLine } from "../../state/picture";
import type { Direction } from "./api";

/** The drawn parts of a direction. */
type Way = Pick<Direction, "from" | "to" | "family" | "hops" | "weight">;

/** The line of one direction over the map, from host to host where its ends are hosts. */
export function lineOf(id: string, way: Way, look: PathLine["look"], isHost: (name: string) => boolean): PathLine {
  const names = [...(isHost(way.from) ? [way.from] : []), ...namesOf(way.hops), ...(isHost(way.to) ? [way.to] : [])];
  const hops = names.slice(1).map((to, i): PathHop => ({ from: names[i] ?? "", to }));
  return { id, look, hops };
}

/** True for the direction that answers this one: the same family, the ends exchanged. */
export function answers(one: Pick<Way, "from" | "to" | "family">, other: Pick<Way, "from" | "to" | "family">): boolean {
  return one.family === other.family && one.from === other.to && one.to === other.from;
}

/** All lines of a plan, with one direction in front. */
export function linesOf(
  directions: readonly Way[],
  chosen: number,
  isHost: (name: string) => boolean,
): readonly PathLine[] {
  const front = directions[chosen];
  if (front === undefined) {
    return [];
  }
  return directions
    .map((way, i) => ({ way, i }))
    .filter(
      ({ way, i }) =>
        i === chosen ||
        answers(way, front) ||
        (way.weight !== undefined && way.from === front.from && way.family === front.family),
    )
    .map(({ way, i }) =>
      lineOf(String(i), way, i === chosen ? "forward" : answers(way, front) ? "back" : "other", isHost),
    );
}

/** The path of packets behind a firewall whose verdict on them differs from that on those of the walk. */
type Branch = Pick<NonNullable<Direction["branches"]>[number], "node" | "verdict" | "hops">;

/** The ways of packets that leave the walk of a direction at a firewall; those that are dropped have none. */
export function branchLines(
  { to, hops, branches = [] }: Pick<Way, "to" | "hops"> & { readonly branches?: readonly Branch[] },
  isHost: (name: string) => boolean,
): readonly PathLine[] {
  const walked = namesOf(hops).join(" ");
  return branches
    .filter(({ verdict, hops: own }) => verdict !== "drop" && !walked.endsWith(namesOf(own).join(" ")))
    .map((branch, i) =>
      lineOf(`branch ${i}`, { from: branch.node, to, family: "ipv6", hops: branch.hops }, "other", isHost),
    );
}

function namesOf(hops: Way["hops"]): readonly string[] {
  return hops.map((hop) => hop.node).filter((node, i, all) => node !== all[i - 1]);
}
