// SPDX-License-Identifier: Apache-2.0
import type { End, MapLink } from "./network";

/** The present load of a port. */
export interface Rate {
  readonly inBitsPerSecond: number;
  readonly outBitsPerSecond: number;
  /** The probes of nodes among them; absent where there are none. */
  readonly inProbeBitsPerSecond?: number;
  readonly outProbeBitsPerSecond?: number;
}

/** The load that one end of a link sends. */
export interface Sent {
  readonly bitsPerSecond: number;
  /** The probes of nodes in it, which are no traffic. */
  readonly probes: number;
}

/** By the sender's count, or by the receiver's where the sender does not count; undefined where neither counts. */
export function sentBy(from: End, to: End, rates: ReadonlyMap<string, Rate>): Sent | undefined {
  const sender = rates.get(`${from.node}/${from.port}`);
  if (sender !== undefined) {
    return { bitsPerSecond: sender.outBitsPerSecond, probes: sender.outProbeBitsPerSecond ?? 0 };
  }
  const receiver = rates.get(`${to.node}/${to.port}`);
  return receiver && { bitsPerSecond: receiver.inBitsPerSecond, probes: receiver.inProbeBitsPerSecond ?? 0 };
}

/** The traffic of the busier direction, without probes. */
export function loadOf(link: MapLink, rates: ReadonlyMap<string, Rate>): number {
  const ways = [sentBy(link.a, link.b, rates), sentBy(link.b, link.a, rates)];
  return Math.max(...ways.map((sent) => (sent === undefined ? 0 : sent.bitsPerSecond - sent.probes)));
}
