// SPDX-License-Identifier: Apache-2.0
import { clockText } from "./clock";
import { counted } from "./format";
import { strings } from "./strings";

/** Since when a node answers or does not, as the controller reports. */
export interface Contact {
  readonly since?: string | undefined;
  /** When it last answered; undefined if it never did. */
  readonly lastSeen?: string | undefined;
}

/** The common cause of all that waits for a node: "l1 does not answer since 06:43". */
export function silenceText(node: string, { since, lastSeen }: Contact, now: number): string {
  return since === undefined || lastSeen === undefined
    ? strings.unreached(node)
    : strings.disconnected(node, clockText(since, now));
}

/** One cause, one message: "l1 does not answer since 06:43; 8 entries wait". */
export function waitText(node: string, contact: Contact, entries: number, now: number): string {
  return strings.entriesPending(silenceText(node, contact, now), counted(entries, "entry", "entries"));
}

/** The meaning of LOST: a node without contact to the controller may forward as it did. */
export function lostText({ lastSeen }: Contact, now: number): string {
  const seen = lastSeen === undefined ? strings.neverSeen : strings.lastSeen(clockText(lastSeen, now));
  return strings.controlLost(seen);
}
