// SPDX-License-Identifier: Apache-2.0
import { counted } from "../../model/format";
import type { Edge, EdgePort, NodeEdge } from "./api";

const REASONS: readonly (readonly [keyof NonNullable<EdgePort["dropped"]>, string])[] = [
  ["sid", "to a SID"],
  ["source", "from an address of the domain"],
  ["srh", "with a foreign SRH"],
  ["unknownSource", "to a SID from nobody of the domain"],
  ["unreadable", "that cannot be read to the end"],
  ["internal", "to an internal address of a node"],
];

/** The reason for a role. */
export function whyText({ because, what }: EdgePort): string {
  switch (because) {
    case "link":
      return `link ${what ?? ""}`;
    case "host":
      return `host ${what ?? ""}`;
    case "description":
      return what === undefined ? "as described" : `as described, ${what}`;
    default:
      return "no link";
  }
}

/** The packets dropped at a port, reason by reason; empty if there are none, or the number is unknown. */
export function droppedTexts({ dropped }: EdgePort): readonly string[] {
  return dropped === undefined
    ? []
    : REASONS.filter(([reason]) => dropped[reason].packets > 0).map(
        ([reason, text]) =>
          `${counted(dropped[reason].packets, "packet")} (${counted(dropped[reason].bytes, "byte")}) ${text}`,
      );
}

export function droppedPackets(ports: readonly EdgePort[]): number {
  return ports.reduce(
    (sum, { dropped }) =>
      sum + (dropped === undefined ? 0 : REASONS.reduce((packets, [reason]) => packets + dropped[reason].packets, 0)),
    0,
  );
}

/** The filter of a node in a line. */
export function filterText(node: NodeEdge): string {
  if (node.refused !== undefined) {
    return `not filtered: it refuses ${node.refused}`;
  }
  if (!node.filters) {
    return node.connected ? "not filtered: its agent or switch does not offer it" : "not known: it is not connected";
  }
  const external = node.ports.filter(({ role }) => role === "external").length;
  const rest = node.read ? `${counted(droppedPackets(node.ports), "packet")} dropped` : "counters not read";
  return `${counted(external, "external port")}, ${rest}`;
}

/** Ways over the map from hosts behind an external port; those for which it is open are marked. */
export function outsiders(
  edge: Edge,
): readonly { readonly host: string; readonly node: string; readonly open: boolean }[] {
  return edge.nodes.flatMap(({ node, ports }) =>
    ports
      .filter(({ role, because, what }) => role === "external" && because === "host" && what !== undefined)
      .map(({ what, peers }) => ({ host: what ?? "", node, open: peers.length > 0 })),
  );
}
