// SPDX-License-Identifier: Apache-2.0
import { strings } from "./strings";

/** An intent that was deleted; nodes may hold some of it still. */
const REMOVING = "REMOVING";
/** More nodes are counted, not named. */
const NAMED = 3;

export function isLeaving(intent: { readonly state: string }): boolean {
  return intent.state === REMOVING;
}

/** The nodes that may hold some of it, each once. */
export function nodesOf(troubles: readonly { readonly node: string }[]): readonly string[] {
  return [...new Set(troubles.map(({ node }) => node))];
}

/** Such as "waits for l1, l2": the nodes that must let it go before it is gone; "" if none is known. */
export function waitsFor(troubles: readonly { readonly node: string }[]): string {
  const nodes = nodesOf(troubles);
  const named = nodes.length > NAMED + 1 ? nodes.slice(0, NAMED) : nodes;
  const more = nodes.length - named.length;
  return nodes.length === 0 ? "" : strings.waitsFor(named.join(", "), more);
}
