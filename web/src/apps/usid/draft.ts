// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../../api/client";
import type { MapHost } from "../../model/network";
import type { Policy } from "./api";
import { strings } from "./strings";

/** A policy that is being made, as its form shows it; immutable. */
export interface Draft {
  readonly from: string;
  readonly to: string;
  readonly nodes: readonly string[];
  readonly symmetry: "symmetric" | "one-way";
  readonly decap: "f00d" | "uDT" | "numbering";
  readonly family: "both" | "ipv6" | "ipv4";
  readonly name: string;
}

export const EMPTY: Draft = {
  from: "",
  to: "",
  nodes: [],
  symmetry: "symmetric",
  decap: "f00d",
  family: "both",
  name: "",
};

/** The node that a host is attached to; undefined for ends that are no host, such as a prefix. */
export type NodeOf = (end: string) => string | undefined;

/**
 * A click on a host: the first is where traffic comes from, with its node as the headend; the second is where it goes,
 * with its node as the egress. Clicked again, it is taken back.
 */
export function withHost(draft: Draft, host: MapHost, nodeOf: NodeOf): Draft {
  if (host.name === draft.to) {
    return { ...draft, to: "", nodes: withoutEgress(draft, nodeOf) };
  }
  if (host.name === draft.from) {
    return { ...draft, from: "", nodes: draft.nodes[0] === host.at.node ? draft.nodes.slice(1) : draft.nodes };
  }
  if (draft.from === "") {
    const nodes = draft.nodes[0] === host.at.node ? draft.nodes : [host.at.node, ...draft.nodes];
    return { ...draft, from: host.name, nodes };
  }
  const path = withoutEgress(draft, nodeOf);
  const nodes = path.at(-1) === host.at.node ? path : [...path, host.at.node];
  return { ...draft, to: host.name, nodes };
}

/** The path without the node of the host that it leads to, unless that is its beginning, too. */
function withoutEgress(draft: Draft, nodeOf: NodeOf): readonly string[] {
  return draft.nodes.length > 1 && endsAtEgress(draft, nodeOf) ? draft.nodes.slice(0, -1) : draft.nodes;
}

function endsAtEgress({ to, nodes }: Draft, nodeOf: NodeOf): boolean {
  return nodes.length > 0 && nodes.at(-1) === nodeOf(to);
}

/** A click on a node: the next on the way, before the egress if the path has its end; clicked again, it is taken out. */
export function withNode(draft: Draft, node: string, nodeOf: NodeOf): Draft {
  const present = draft.nodes.indexOf(node);
  if (present >= 0) {
    return { ...draft, nodes: draft.nodes.filter((_, i) => i !== present) };
  }
  const path = withoutEgress(draft, nodeOf);
  return { ...draft, nodes: [...path, node, ...draft.nodes.slice(path.length)] };
}

const SHORTEST_PATH = 2;

/** True if there is enough of it to ask for its plan. */
export function complete(draft: Draft): boolean {
  return draft.from !== "" && draft.to !== "" && draft.nodes.length >= SHORTEST_PATH;
}

/** Its ends are at one node, and it names no other: nothing can become of it. */
export function isStuck(draft: Draft, nodeOf: NodeOf): boolean {
  const node = nodeOf(draft.from);
  return node !== undefined && node === nodeOf(draft.to) && !complete(draft);
}

/** The next step for a draft. */
export function hintOf(draft: Draft, nodeOf: NodeOf): string {
  if (draft.from === "") {
    return strings.clickTheSourceHost;
  }
  if (draft.to === "") {
    return draft.nodes.length < SHORTEST_PATH ? strings.clickPath : strings.continuePath;
  }
  if (complete(draft)) {
    return strings.ready;
  }
  return isStuck(draft, nodeOf) ? strings.sameNode(draft.from, draft.to, nodeOf(draft.from) ?? "") : strings.enterPath;
}

/** The body to post. */
export function policyOf(draft: Draft): Policy {
  const { name, family, ...rest } = draft;
  return {
    ...rest,
    nodes: [...draft.nodes],
    ...(family === "both" ? {} : { family }),
    ...(name === "" ? {} : { name }),
  };
}

/** The place in the list of nodes that a problem is about, from "/nodes/3". */
export function placeOf(problem: Problem): number | undefined {
  const match = /^\/nodes\/(\d+)/.exec(problem.field);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
