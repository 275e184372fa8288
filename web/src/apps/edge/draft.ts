// SPDX-License-Identifier: Apache-2.0
import type { Peer } from "./api";

/** A peer as it is typed. */
export interface Draft {
  readonly name: string;
  readonly sources: string;
  readonly ports: string;
}

export const EMPTY: Draft = { name: "", sources: "", ports: "" };

function listed(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** Undefined while there is too little of it to ask; the controller judges the rest. */
export function peerOf({ name, sources, ports }: Draft): Peer | undefined {
  const peer = { name, sources: listed(sources), ports: listed(ports) };
  return name === "" || peer.sources.length === 0 || peer.ports.length === 0 ? undefined : peer;
}

/** The next step. */
export function hintOf({ name, sources, ports }: Draft): string {
  if (name === "") {
    return "Give the peer a name.";
  }
  if (listed(sources).length === 0) {
    return "From which IPv6 prefixes does it send?";
  }
  if (listed(ports).length === 0) {
    return "Behind which ports is it? Click a host, or type node/number.";
  }
  return "From there it reaches SIDs as a node of the domain does. Install it.";
}

/** With one port more. */
export function withPort(draft: Draft, port: string): Draft {
  const ports = listed(draft.ports);
  return ports.includes(port) ? draft : { ...draft, ports: [...ports, port].join(", ") };
}
