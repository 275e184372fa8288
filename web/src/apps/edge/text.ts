// SPDX-License-Identifier: Apache-2.0
import { counted } from "../../model/format";
import type { Edge, EdgePort, NodeEdge } from "./api";
import { strings } from "./strings";

const REASONS = Object.entries(strings.reasons) as readonly (readonly [
  keyof NonNullable<EdgePort["dropped"]>,
  string,
])[];

/** The reason for a role. */
export function whyText({ because, what }: EdgePort): string {
  switch (because) {
    case "link":
      return strings.because.link(what ?? "");
    case "host":
      return strings.because.host(what ?? "");
    case "description":
      return strings.because.described(what);
    default:
      return strings.because.noLink;
  }
}

/** The packets dropped at a port, reason by reason; empty if there are none, or the number is unknown. */
export function droppedTexts({ dropped }: EdgePort): readonly string[] {
  return dropped === undefined
    ? []
    : REASONS.filter(([reason]) => dropped[reason].packets > 0).map(([reason, text]) =>
        strings.droppedPackets(
          counted(dropped[reason].packets, "packet"),
          counted(dropped[reason].bytes, "byte"),
          text,
        ),
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
    return strings.rejected(node.refused);
  }
  if (!node.filters) {
    return node.connected ? strings.notSupported : strings.notConnected;
  }
  const external = node.ports.filter(({ role }) => role === "external").length;
  const rest = node.read
    ? strings.packetsDropped(counted(droppedPackets(node.ports), "packet"))
    : strings.countersUnavailable;
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
