// SPDX-License-Identifier: Apache-2.0
import type { Policy, Problem } from "../../api/client";
import type { MapHost } from "../../model/network";

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

/**
 * A click on a host: the first is where traffic comes from, with its node as the headend; the second is where it goes,
 * with its node as the egress. Clicked again, it is taken back.
 */
export function withHost(draft: Draft, host: MapHost): Draft {
  if (host.name === draft.to) {
    return { ...draft, to: "", nodes: withoutLast(draft.nodes, host.at.node) };
  }
  if (host.name === draft.from) {
    return { ...draft, from: "", nodes: draft.nodes[0] === host.at.node ? draft.nodes.slice(1) : draft.nodes };
  }
  if (draft.from === "") {
    const nodes = draft.nodes[0] === host.at.node ? draft.nodes : [host.at.node, ...draft.nodes];
    return { ...draft, from: host.name, nodes };
  }
  const path = draft.to === "" ? draft.nodes : draft.nodes.slice(0, -1);
  const nodes = path.at(-1) === host.at.node ? path : [...path, host.at.node];
  return { ...draft, to: host.name, nodes };
}

function withoutLast(nodes: readonly string[], node: string): readonly string[] {
  return nodes.length > 1 && nodes.at(-1) === node ? nodes.slice(0, -1) : nodes;
}

/** A click on a node: the next on the way, before the egress if the path has its end; clicked again, it is taken out. */
export function withNode(draft: Draft, node: string): Draft {
  const present = draft.nodes.indexOf(node);
  if (present >= 0) {
    return { ...draft, nodes: draft.nodes.filter((_, i) => i !== present) };
  }
  const nodes =
    draft.to === "" ? [...draft.nodes, node] : [...draft.nodes.slice(0, -1), node, ...draft.nodes.slice(-1)];
  return { ...draft, nodes };
}

/** Enough to ask what it would become. */
export function complete(draft: Draft): boolean {
  return draft.from !== "" && draft.to !== "" && draft.nodes.length >= 2;
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

export type Field = "from" | "to" | "nodes" | "symmetry" | "decap" | "family" | "name";
const FIELDS: readonly Field[] = ["from", "to", "nodes", "symmetry", "decap", "family", "name"];

/** Problems by the field of the form that they are about; what belongs to none stands under "". */
export function byField(problems: readonly Problem[]): ReadonlyMap<Field | "", readonly Problem[]> {
  const found = new Map<Field | "", Problem[]>();
  for (const problem of problems) {
    const first = problem.field.split("/")[1] ?? "";
    const field = FIELDS.find((one) => one === first) ?? "";
    found.set(field, [...(found.get(field) ?? []), problem]);
  }
  return found;
}

/** The place in the list of nodes that a problem is about, from "/nodes/3". */
export function placeOf(problem: Problem): number | undefined {
  const match = /^\/nodes\/(\d+)/.exec(problem.field);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
