// SPDX-License-Identifier: Apache-2.0
import type { End, MapLink } from "./network";

/** What a port carries now. */
export interface Rate {
  readonly inBitsPerSecond: number;
  readonly outBitsPerSecond: number;
  /** Of these, probes of watched paths; absent where there are none. */
  readonly inProbeBitsPerSecond?: number;
  readonly outProbeBitsPerSecond?: number;
}

/** What one end of a link sends. */
export interface Sent {
  readonly bitsPerSecond: number;
  /** The part of it that is no traffic: probes of watched paths. */
  readonly probes: number;
}

/** What an end sends, as it counts, or as the other end does where it cannot; undefined where neither counts. */
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
