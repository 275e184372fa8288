// SPDX-License-Identifier: Apache-2.0
import { consumedOf, cut, shift, type SidFormat } from "./container";

/** A node that a packet visits, as the controller planned it: the packets that arrive and leave. */
export interface Hop {
  readonly node: string;
  readonly destinationAddress: string;
  readonly segmentsLeft: number;
  readonly behavior: string;
  readonly destinationAddressSent?: string;
  readonly link?: string;
}

/** A node's action on the packet. */
export type Action = "encapsulate" | "consume" | "advance" | "forward" | "decapsulate";

/** One step of the walk, ready to be shown. */
export interface Step {
  readonly hop: Hop;
  readonly action: Action;
  /** Which container the destination address is, in travel order. */
  readonly container: number;
  /** uSIDs of that container that are gone when the packet arrives. */
  readonly consumed: number;
  /** uSIDs of that container that this node takes. */
  readonly takes: number;
  /** Segments Left when the packet leaves; undefined where the outer header ends. */
  readonly segmentsLeftSent: number | undefined;
}

/** The destination address and Segments Left that a node sends. */
export interface Outgoing {
  readonly destination: string;
  readonly segmentsLeft: number;
}

/**
 * The result of a NEXT-C-SID behavior for a packet: the rest of the container moves up; if nothing is left of it, the
 * next segment becomes the destination (RFC 9800, 4.1). `takes` is 1 for uN, 2 for a uA with its node's uSID in front.
 */
export function consume(
  containers: readonly string[],
  destination: string,
  segmentsLeft: number,
  takes: number,
  format: SidFormat,
): Outgoing {
  const rest = shift(destination, format, takes);
  const next = containers[containers.length - segmentsLeft];
  const empty = cut(rest, format).cells[0]?.kind === "empty";
  return empty && segmentsLeft > 0 && next !== undefined
    ? { destination: next, segmentsLeft: segmentsLeft - 1 }
    : { destination: rest, segmentsLeft };
}

/** uSIDs that a behavior takes from the front of the destination. */
export function takenBy(behavior: string): number {
  return behavior === "uN" ? 1 : behavior === "uA" ? 2 : 0;
}

/** The walk of a packet through its containers, step by step. */
export function stepsOf(containers: readonly string[], hops: readonly Hop[], format: SidFormat): readonly Step[] {
  return hops.map((hop, i) => step(containers, hop, hops[i + 1], i === 0, format));
}

function step(containers: readonly string[], hop: Hop, next: Hop | undefined, first: boolean, format: SidFormat): Step {
  const container = containers.length - 1 - hop.segmentsLeft;
  const consumed = consumedOf(containers[container] ?? "", hop.destinationAddress, format) ?? 0;
  const segmentsLeftSent = next?.segmentsLeft;
  const action = actionOf(hop, segmentsLeftSent, first);
  const left = cut(containers[container] ?? hop.destinationAddress, format).cells.filter((c) => c.kind !== "empty");
  const takes = action === "decapsulate" ? left.length - consumed : takenBy(hop.behavior);
  return { hop, action, container, consumed, takes, segmentsLeftSent };
}

function actionOf(hop: Hop, segmentsLeftSent: number | undefined, first: boolean): Action {
  if (first && hop.behavior.startsWith("H.Encaps")) {
    return "encapsulate";
  }
  if (/^(uD|End\.D)/.test(hop.behavior)) {
    return "decapsulate";
  }
  if (segmentsLeftSent !== undefined && segmentsLeftSent < hop.segmentsLeft) {
    return "advance";
  }
  return hop.behavior === "forward" ? "forward" : "consume";
}
