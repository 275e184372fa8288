// SPDX-License-Identifier: Apache-2.0
import { clockText } from "./clock";
import { counted } from "./format";

/** Since when a node answers or does not, as the controller reports. */
export interface Contact {
  readonly since?: string | undefined;
  /** When it last answered; undefined if it never did. */
  readonly lastSeen?: string | undefined;
}

/** The common cause of all that waits for a node: "l1 does not answer since 06:43". */
export function silenceText(node: string, { since, lastSeen }: Contact, now: number): string {
  return since === undefined || lastSeen === undefined
    ? `${node} has not answered yet`
    : `${node} does not answer since ${clockText(since, now)}`;
}

/** One cause, one message: "l1 does not answer since 06:43; 8 entries wait". */
export function waitText(node: string, contact: Contact, entries: number, now: number): string {
  const waits = `${counted(entries, "entry", "entries")} ${entries === 1 ? "waits" : "wait"}`;
  return `${silenceText(node, contact, now)}; ${waits}`;
}

/** The meaning of LOST: a node without contact to the controller may forward as it did. */
export function lostText({ lastSeen }: Contact, now: number): string {
  const seen = lastSeen === undefined ? "never seen" : `last seen ${clockText(lastSeen, now)}`;
  return `control lost, forwarding unobserved, ${seen}`;
}
