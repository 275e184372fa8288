// SPDX-License-Identifier: Apache-2.0
import type { Peer } from "./api";
import { strings } from "./strings";

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
    return strings.enterName;
  }
  if (listed(sources).length === 0) {
    return strings.enterSources;
  }
  if (listed(ports).length === 0) {
    return strings.enterPorts;
  }
  return strings.ready;
}

/** With one port more. */
export function withPort(draft: Draft, port: string): Draft {
  const ports = listed(draft.ports);
  return ports.includes(port) ? draft : { ...draft, ports: [...ports, port].join(", ") };
}
